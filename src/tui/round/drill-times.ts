import type { Focus } from './practised.ts';
import type { LocalRound } from './round.ts';
import { summarizeRound } from './round-summary.ts';

/** What a pair of letters took in the round that drilled it. */
export interface DrilledPair {
  readonly pair: string;
  /** Times that it was typed right, and the mean of those, ms; undefined where it was not. */
  readonly count: number;
  readonly ms: number | undefined;
  /** Whether it was in the words of the round at all. */
  readonly isInWords: boolean;
  /** The typist's mean before the round, and the one to reach, ms. */
  readonly beforeMs: number | null;
  readonly targetMs: number;
}

/** The pairs that a drill was about, those in its words first, and the slowest before it first; none for other rounds, and where no slow pair was known. */
export function toDrilledPairs(round: LocalRound): DrilledPair[] {
  const { mode, focus } = round.practised;
  if (mode.type !== 'drill' || focus.length === 0) return [];
  const { bigrams } = summarizeRound(round);
  return toSlowestFirst(round).map(({ text, ms: beforeMs, targetMs, isInWords }) => {
    const { count = 0, ms = 0 } = bigrams[text] ?? {};
    const mean = count === 0 ? undefined : ms / count;
    return { pair: text, count, ms: mean, isInWords, beforeMs, targetMs };
  });
}

/** What a round is about, the slowest first; before that what is in its words: nobody waits for a pair that never comes. */
export function toSlowestFirst({
  words,
  practised: { focus, language },
}: Pick<LocalRound, 'words' | 'practised'>): (Focus & { readonly isInWords: boolean })[] {
  const text = toLowerCase(words.join(' '), language);
  return focus
    .map((one) => ({ ...one, isInWords: text.includes(one.text) }))
    .sort((a, b) => Number(b.isInWords) - Number(a.isInWords) || (b.ms ?? Infinity) - (a.ms ?? Infinity));
}

/** A language of a journal or a server may be none that the engine knows. */
function toLowerCase(text: string, language: string): string {
  try {
    return text.toLocaleLowerCase(language);
  } catch {
    return text.toLowerCase();
  }
}

/** One quick press is chance. */
const leastPresses = 3;

/** Whether the mean of this round is as short as it should become, and of enough presses to say so. */
export function isReached({ ms, count, targetMs }: DrilledPair): boolean {
  return ms !== undefined && count >= leastPresses && Math.round(ms) <= Math.round(targetMs);
}
