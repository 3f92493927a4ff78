import { toQuantile } from './quantiles.ts';

/** A median, and the limits of its 95 % confidence interval; null where there are too few values for one. */
export interface MedianInterval {
  readonly median: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** From so many values on the binomial distribution is as good as normal. */
const normalFrom = 200;
const normal95 = 1.96;

/**
 * The median with a confidence interval that assumes nothing about the distribution: between two of the values in order,
 * whose ranks follow from the binomial distribution of how many values lie below the true median (Thompson, "On
 * confidence ranges for the median", Ann. Math. Statist. 7, 1936). At least 95 %; six values are the fewest that allow it.
 */
export function toMedianInterval(values: readonly number[]): MedianInterval {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = toLowerRank(sorted.length);
  return {
    median: toQuantile(sorted, 0.5),
    low: rank === 0 ? null : (sorted[rank - 1] ?? null),
    high: rank === 0 ? null : (sorted[sorted.length - rank] ?? null),
  };
}

/** The largest rank r, from 1, for which r-th smallest to r-th largest value hold the median in 95 % of all cases; 0 where none does. */
function toLowerRank(count: number): number {
  if (count >= normalFrom) return Math.floor((count - normal95 * Math.sqrt(count)) / 2);
  let chance = 0.5 ** count;
  let below = 0;
  let rank = 0;
  while (2 * (below + chance) <= 0.05) {
    below += chance;
    rank++;
    chance *= (count - rank + 1) / rank;
  }
  return rank;
}
