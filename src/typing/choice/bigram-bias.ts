import type { Chapter } from '../statistics/history.ts';
import type { BigramTally } from '../statistics/key-tally.ts';
import { shareLeft } from '../statistics/recent-tally.ts';
import type { Bias } from './biased-words.ts';

/** Pairs that a drill is about, and occurrences at the typist's mean time that each pair is credited with. */
const drilled = 24;
const prior = 5;
/** A gain is measured against the best one: where no pair is slow, that must not be a rounding error. In milliseconds. */
const leastGain = 1e-6;
/** How strongly the slowest of them is preferred, as a logarithm. */
const strongest = 2;
/** How little the others fall behind it: each of the slow pairs is to come clearly more often. */
const flatness = 1 / 2;

/** A pair of letters that takes longer than the mean of all pairs. */
export interface SlowPair {
  readonly pair: string;
  /** Mean time, ms. */
  readonly ms: number;
  /** Ms above the mean of all pairs, less the less is known of it. */
  readonly excess: number;
  /** Ms above the mean, over all times that it came lately. */
  readonly gain: number;
}

/**
 * Prefers the pairs of letters whose practice gains most, each by the time that it takes above the typist's mean. How often
 * they come says which of them gain most, and no more: frequent ones come often by themselves.
 */
export function toBigramBias(pairs: readonly SlowPair[]): Bias {
  const most = Math.max(...pairs.map(({ excess }) => excess));
  return new Map(pairs.map(({ pair, excess }) => [pair, strongest * (excess / most) ** flatness]));
}

/**
 * The pairs whose practice gains most, the best first, and the typist's mean time of a pair, ms. What is long ago weighs
 * little (see `RecentTally`).
 */
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
    .map(([pair, { count, ms }]) => {
      const excess = (ms + prior * mean) / (count + prior) - mean;
      return { pair, ms: ms / count, excess, gain: excess * count };
    })
    .filter(({ gain }) => gain > leastGain)
    .sort((a, b) => b.gain - a.gain || (a.pair < b.pair ? -1 : 1))
    .slice(0, drilled);
  return { pairs, mean };
}

function sumPairs(chapters: readonly Chapter[]): Map<string, { count: number; ms: number }> {
  const pairs = new Map<string, { count: number; ms: number }>();
  for (const { keys, rounds } of chapters) {
    for (const pair in keys.bigrams) {
      const { recentCount, recentMs, at } = keys.bigrams[pair] as BigramTally;
      const share = shareLeft(at, rounds);
      const [count, ms] = [recentCount * share, recentMs * share];
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
