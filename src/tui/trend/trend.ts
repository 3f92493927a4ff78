import type { Day } from './days.ts';
import { toMedian } from './quantiles.ts';

/** How a figure moves over the days. */
export type Trend =
  | { readonly kind: 'too-few'; readonly days: number; readonly runs: number }
  | {
      /** `flat`: within its uncertainty it may as well not move at all, or not so much that it shows. */
      readonly kind: 'rising' | 'falling' | 'flat';
      /** Change per week, and the limits of its 95 % confidence interval. */
      readonly perWeek: number;
      readonly low: number;
      readonly high: number;
    };

/** Fewer days or rounds say nothing about a trend. */
export const fewestDays = 7;
export const fewestRounds = 20;

/** Older days say little about where somebody is going. */
const longestSpan = 90;

/** A weekly change is given with one decimal: what that shows as 0.0 is not called a change. */
const smallestTold = 0.05;

const normal95 = 1.96;

/**
 * The slope after Theil and Sen: the median of the slopes between all pairs of days, which no single odd day can
 * bend. Its confidence interval is Sen's (1968), from the variance of Kendall's S without ties.
 *
 * @param days oldest first; only the last 90 days count
 */
export function toTrend(days: readonly Day[], figure: (day: Day) => number): Trend {
  const last = days.at(-1)?.number ?? 0;
  const recent = days.filter((day) => last - day.number < longestSpan);
  const runs = recent.reduce((sum, day) => sum + day.runs, 0);
  if (recent.length < fewestDays || runs < fewestRounds)
    return { kind: 'too-few', days: recent.length, runs };
  const slopes = toSlopes(recent, figure);
  const n = recent.length;
  const spread = normal95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const lower = Math.floor((slopes.length - spread) / 2);
  const upper = Math.ceil((slopes.length + spread) / 2);
  const low = (slopes[Math.max(0, lower - 1)] ?? 0) * 7;
  const high = (slopes[Math.min(slopes.length - 1, upper)] ?? 0) * 7;
  const kind = low >= smallestTold ? 'rising' : high <= -smallestTold ? 'falling' : 'flat';
  return { kind, perWeek: toMedian(slopes) * 7, low, high };
}

/** Change per day between every two days, ascending. */
function toSlopes(days: readonly Day[], figure: (day: Day) => number): number[] {
  const slopes: number[] = [];
  for (const [at, day] of days.entries()) {
    for (const later of days.slice(at + 1)) {
      slopes.push((figure(later) - figure(day)) / (later.number - day.number));
    }
  }
  return slopes.sort((a, b) => a - b);
}
