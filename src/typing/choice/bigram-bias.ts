import type { Chapter } from '../statistics/history.ts';
import type { Bias } from './word-choice.ts';

/** Pairs that a drill is about, and occurrences at the typist's mean time that each pair is credited with. */
const drilled = 12;
const prior = 5;
/** How strongly the best of them is preferred, as a logarithm. */
const strongest = 2;
/** How little the others fall behind it: each of the slow pairs is to come clearly more often. */
const flatness = 1 / 4;

/**
 * Prefers the pairs of letters whose practice gains most: the time that they take above the typist's mean, times how
 * often they come.
 */
export function toBigramBias(chapters: readonly Chapter[]): Bias {
  const pairs = new Map<string, { count: number; ms: number }>();
  for (const { keys } of chapters) {
    for (const [pair, { count, ms }] of Object.entries(keys.bigrams)) {
      const sum = pairs.get(pair) ?? { count: 0, ms: 0 };
      pairs.set(pair, { count: sum.count + count, ms: sum.ms + ms });
    }
  }
  const all = [...pairs.values()].reduce(
    (sum, each) => ({ count: sum.count + each.count, ms: sum.ms + each.ms }),
    {
      count: 0,
      ms: 0,
    },
  );
  const mean = all.count > 0 ? all.ms / all.count : 0;
  const gains = [...pairs]
    .map(([pair, { count, ms }]) => [pair, ((ms + prior * mean) / (count + prior) - mean) * count] as const)
    .filter(([, gain]) => gain > 0)
    .sort(([a, gainA], [b, gainB]) => gainB - gainA || (a < b ? -1 : 1))
    .slice(0, drilled);
  const [[, most] = ['', 1]] = gains;
  return new Map(gains.map(([pair, gain]) => [pair, strongest * (gain / most) ** flatness]));
}
