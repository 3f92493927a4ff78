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

/** The pairs that a drill was about, the slowest before it first; none for other rounds, and where no slow pair was known. */
export function toDrilledPairs(round: LocalRound): DrilledPair[] {
  const { mode, focus } = round.practised;
  if (mode.type !== 'drill' || focus.length === 0) return [];
  const { bigrams } = summarizeRound(round);
  const { language } = round.practised;
  const words = round.words.join(' ').toLocaleLowerCase(language);
  return focus
    .map(({ text, ms: beforeMs, targetMs }) => {
      const { count = 0, ms = 0 } = bigrams[text] ?? {};
      const mean = count === 0 ? undefined : ms / count;
      return { pair: text, count, ms: mean, isInWords: words.includes(text), beforeMs, targetMs };
    })
    .sort((a, b) => (b.beforeMs ?? Infinity) - (a.beforeMs ?? Infinity));
}

/** Whether the mean of this round is as short as it should become. */
export function isReached({ ms, targetMs }: DrilledPair): boolean {
  return ms !== undefined && Math.round(ms) <= Math.round(targetMs);
}
