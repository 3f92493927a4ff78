import { english, type Language } from '../../typing/letters/language.ts';
import type { KeyReport } from '../../typing/rules/step.ts';
import { wordText } from '../../typing/rules/word.ts';
import { createKeyCounter, newKeyTally } from '../../typing/statistics/key-tally.ts';
import type { Focus } from './practised.ts';
import type { RoundView } from './round-view.ts';

/** What a pair of letters took in the round that drilled it. */
export interface DrilledPair {
  readonly pair: string;
  /** Times that it was typed right, and the mean of those, ms; undefined if it was not. */
  readonly count: number;
  readonly ms: number | undefined;
  /** Whether it was in the words of the round at all. */
  readonly isInWords: boolean;
  /** The typist's mean before the round, and the one to reach, ms. */
  readonly beforeMs: number | null;
  readonly targetMs: number;
}

/**
 * The pairs that a drill was about: those in its words first, and of them the slowest before. None for other
 * rounds, and if no slow pair was known.
 */
export function drilledPairs(round: RoundView, reports: readonly KeyReport[]): DrilledPair[] {
  const { mode, focus, language } = round.practised;
  if (mode.type !== 'drill' || focus.length === 0) return [];
  const tally = newKeyTally();
  const count = createKeyCounter(tally, languageOfPairs(focus, language));
  for (const report of reports) count(report);
  return slowestFirst(round).map(({ text, ms: beforeMs, targetMs, isInWords }) => {
    const { count: times = 0, ms = 0 } = tally.bigrams[text] ?? {};
    const mean = times === 0 ? undefined : ms / times;
    return { pair: text, count: times, ms: mean, isInWords, beforeMs, targetMs };
  });
}

/** A language that has at least the letters of these pairs. */
function languageOfPairs(focus: readonly Focus[], id: string): Language {
  const letters = new Set(english.alphabet + focus.map(({ text }) => text).join(''));
  return { id, name: id, alphabet: [...letters].join('') };
}

/** What a round is about: what is in its words first, and of that the slowest. */
export function slowestFirst({
  words,
  practised: { focus, language },
}: Pick<RoundView, 'words' | 'practised'>): (Focus & { readonly isInWords: boolean })[] {
  const text = lowerCase(words.map(wordText).join(' '), language);
  return focus
    .map((one) => ({ ...one, isInWords: text.includes(one.text) }))
    .sort((a, b) => Number(b.isInWords) - Number(a.isInWords) || (b.ms ?? Infinity) - (a.ms ?? Infinity));
}

/** The language of a file or a server may be none that the engine knows. */
function lowerCase(text: string, language: string): string {
  try {
    return text.toLocaleLowerCase(language);
  } catch {
    return text.toLowerCase();
  }
}

/** One quick press is chance. */
const minPresses = 3;

/** Whether the mean of this round is as short as it should become, and of enough presses to say so. */
export function isReached({ ms, count, targetMs }: DrilledPair): boolean {
  return ms !== undefined && count >= minPresses && Math.round(ms) <= Math.round(targetMs);
}
