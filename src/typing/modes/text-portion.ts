import { maxText } from './mode.ts';

/** Approximate characters of a portion: some minutes of typing. */
const usualPortion = 1_500;

/** A part of a long text, and the offset of the next one: 0 after the last. */
export interface TextPortion {
  readonly text: string;
  readonly next: number;
}

/**
 * The part of a text from `at` on that makes one round. A text that fits into a round stays whole; a longer one is cut at
 * the end of a paragraph, otherwise of a line, a sentence or a word.
 */
export function textPortion(whole: string, at: number): TextPortion {
  const start = whole.slice(at).trim() === '' ? 0 : at;
  const rest = whole.length - start;
  const end = whole.length <= maxText || rest <= 2 * usualPortion ? whole.length : findCut(whole, start);
  return { text: whole.slice(start, end), next: whole.slice(end).trim() === '' ? 0 : end };
}

/** Ends of paragraphs, lines, sentences and words, in order of preference. */
const cuts = [/\n\s*\n/g, /\n/g, /[.!?…]["'”’)]*\s/g, /\s/g];

function findCut(whole: string, start: number): number {
  const from = start + Math.floor(usualPortion * 0.7);
  const window = whole.slice(from, start + 2 * usualPortion);
  for (const cut of cuts) {
    const ends = [...window.matchAll(cut)].map((match) => from + match.index + match[0].length);
    const best = ends.find((end) => end >= start + usualPortion) ?? ends.at(-1);
    if (best !== undefined) return best;
  }
  return characterEnd(whole, start + usualPortion);
}

/** Moves a cut out of a surrogate pair. */
function characterEnd(whole: string, at: number): number {
  const code = whole.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
