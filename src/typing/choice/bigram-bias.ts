import type { Chapter } from '../statistics/history.ts';
import type { BigramTally } from '../statistics/key-tally.ts';
import type { Bias } from './biased-words.ts';

/** Pairs that a drill is about, and occurrences at the typist's mean time that each pair is credited with. */
const drilled = 24;
const prior = 5;
/** How strongly the best of them is preferred, as a logarithm. */
const strongest = 2;
/** How little the others fall behind it: each of the slow pairs is to come clearly more often. */
const flatness = 1 / 4;

/** A pair of letters that takes longer than the mean of all pairs. */
export interface SlowPair {
  readonly pair: string;
  /** Mean time, ms. */
  readonly ms: number;
  /** Ms above the mean, over all times that it came. */
  readonly gain: number;
}

/**
 * Prefers the pairs of letters whose practice gains most: the time that they take above the typist's mean, times how
 * often they come.
 */
export function toBigramBias(pairs: readonly SlowPair[]): Bias {
  const most = pairs[0]?.gain ?? 1;
  return new Map(pairs.map(({ pair, gain }) => [pair, strongest * (gain / most) ** flatness]));
}

/** The pairs whose practice gains most, the best first, and the typist's mean time of a pair, ms. */
export function toSlowPairs(chapters: readonly Chapter[]): {
  readonly pairs: readonly SlowPair[];
  readonly mean: number;
} {
  const sums = sumPairs(chapters);
  const all = [...sums.values()].reduce(
    (sum, each) => ({ count: sum.count + each.count, ms: sum.ms + each.ms }),
    { count: 0, ms: 0 },
  );
  const mean = all.count > 0 ? all.ms / all.count : 0;
  const pairs = [...sums]
    .map(([pair, { count, ms }]) => ({
      pair,
      ms: ms / count,
      gain: ((ms + prior * mean) / (count + prior) - mean) * count,
    }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.pair < b.pair ? -1 : 1))
    .slice(0, drilled);
  return { pairs, mean };
}

function sumPairs(chapters: readonly Chapter[]): Map<string, { count: number; ms: number }> {
  const pairs = new Map<string, { count: number; ms: number }>();
  for (const { keys } of chapters) {
    for (const pair in keys.bigrams) {
      const { count, ms } = keys.bigrams[pair] as BigramTally;
      const sum = pairs.get(pair);
      if (sum === undefined) pairs.set(pair, { count, ms });
      else {
        sum.count += count;
        sum.ms += ms;
      }
    }
  }
  return pairs;
}
