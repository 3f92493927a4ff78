import { characterEnd, findManyMarks, isTypable, normalForm, type Word, wordsOf } from '../rules/word.ts';
import { maxText } from './mode.ts';
import type { RoundText } from './practice.ts';

/**
 * The words of a text, the ends of its lines, and their indentation, which is not typed; nor are empty lines.
 *
 * @param before the words of the same text, if known: splitting words into characters is the slowest part
 */
export function linedText(text: string, before?: readonly Word[]): RoundText {
  const words: string[] = [];
  const lineEnds: number[] = [];
  const indents: number[] = [];
  for (const line of normalForm(text).split(/\r\n?|[\n\u0085\u2028\u2029]/)) {
    const ofLine = line.split(/\s+/).filter((word) => word !== '');
    if (ofLine.length === 0) continue;
    words.push(...ofLine);
    lineEnds.push(words.length - 1);
    indents.push(indentOf(line));
  }
  return { words: before?.length === words.length ? before : wordsOf(words), lineEnds, indents };
}

/** Columns between tab stops: few, because terminals are narrow. */
const tabStop = 4;
/** Maximum indentation in columns: deeper lines would begin beyond the edge of small screens. */
const maxIndent = 40;

function indentOf(line: string): number {
  let columns = 0;
  for (const character of /^\s*/.exec(line)?.[0] ?? '') {
    columns = character === '\t' ? (Math.floor(columns / tabStop) + 1) * tabStop : columns + 1;
  }
  return Math.min(maxIndent, columns);
}

/**
 * Why a text cannot be typed; undefined if it can. A key must be able to type each character, which excludes
 * lone surrogates, invisible characters and endless stacks of accents.
 */
export function problemOfText(text: string): string | undefined {
  if (text.length > maxText) return `must have at most ${maxText} characters`;
  if (!/\S/.test(text)) return 'must have something to type';
  const word = untypableWord(text);
  return word === undefined ? undefined : `holds a character in its word ${word} that no key types`;
}

/** Number of the first word, from 1, with a character that no key types; undefined if there is none. */
export function untypableWord(text: string): number | undefined {
  const marks = findManyMarks(text);
  if (marks >= 0) return text.slice(0, marks + 1).match(/\S+/g)?.length ?? 1;
  const known = new Set<string>();
  for (const [at, word] of linedText(text).words.entries())
    for (const character of word) {
      if (!known.has(character) && !isTypable(character)) return at + 1;
      known.add(character);
    }
  return undefined;
}

/** Approximate number of characters of a portion: a few minutes of typing. */
const usualPortion = 1_500;
/** A text of at most so many characters stays whole: it can be uploaded even if each letter was missed once. */
const maxWhole = 4_000;

/** A part of a long text, and the offset of the next one: 0 after the last. */
export interface TextPortion {
  readonly text: string;
  readonly next: number;
}

/**
 * The part of a text from `at` on that makes one round. A short text stays whole; a longer one is cut at the
 * end of a paragraph, otherwise of a line, a sentence or a word.
 */
export function textPortion(whole: string, at: number): TextPortion {
  const start = whole.slice(at).trim() === '' ? 0 : at;
  const rest = whole.length - start;
  const end = whole.length <= maxWhole || rest <= 2 * usualPortion ? whole.length : findCut(whole, start);
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
