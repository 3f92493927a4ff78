import type { Chapter } from '../statistics/history.ts';
import type { BigramTally } from '../statistics/key-tally.ts';
import { shareLeft } from '../statistics/recent-tally.ts';
import type { Bias } from './biased-words.ts';

/** Number of pairs that a drill is about, and occurrences at the typist's mean time that each pair is credited with. */
const drilled = 24;
const prior = 5;
/** In milliseconds. If no pair is slow, a rounding error must not count as a gain. */
const leastGain = 1e-6;
/** How strongly the slowest pair is preferred, as a logarithm. */
const strongest = 2;
/** Exponent below 1, so that the others stay close to the slowest: each slow pair should come clearly more often. */
const flatness = 1 / 2;

/** A pair of letters that takes longer than the mean of all pairs. */
export interface SlowPair {
  readonly pair: string;
  /** Mean time, ms. */
  readonly ms: number;
  /** Ms above the mean of all pairs; smaller if there are few measurements. */
  readonly excess: number;
  /** Ms above the mean, added up over its recent occurrences. */
  readonly gain: number;
}

/**
 * Prefers the pairs of letters whose practice gains most, each according to its time above the typist's mean. Frequency only
 * decides which pairs are chosen: frequent ones come often anyway.
 */
export function toBigramBias(pairs: readonly SlowPair[]): Bias {
  const most = Math.max(...pairs.map(({ excess }) => excess));
  return new Map(pairs.map(({ pair, excess }) => [pair, strongest * (excess / most) ** flatness]));
}

/**
 * The pairs whose practice gains most, best first, and the typist's mean time of a pair in ms. Older rounds weigh less
 * (see `RecentTally`).
 *
 * @param isDrillable whether there are words to practise a pair with. Default: every pair
 */
export function toSlowPairs(
  chapters: readonly Chapter[],
  isDrillable: (pair: string) => boolean = () => true,
): {
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
    .sort((a, b) => b.gain - a.gain || (a.pair < b.pair ? -1 : 1));
  return { pairs: toFirst(drilled, pairs, ({ pair }) => isDrillable(pair)), mean };
}

/** The first of these that are fit. Caller is dear, so nothing is asked after the last. */
function toFirst<T>(most: number, all: readonly T[], isFit: (one: T) => boolean): T[] {
  const first: T[] = [];
  for (const one of all) {
    if (first.length === most) break;
    if (isFit(one)) first.push(one);
  }
  return first;
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
