// Does not compute dates, because loading the library for them would delay the first words.

/** The rounds of one calendar day. */
export interface Day {
  /** YYYY-MM-DD in the typist's time zone. */
  readonly date: string;
  /** Days since 1970-01-01, to measure distances with. */
  readonly number: number;
  readonly runs: number;
  /** Standard WPM: spaces counted. */
  readonly wpm: Spread;
  readonly accuracy: Spread;
}

/** The median and the quartiles. */
interface Spread {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** There is no trend with fewer. */
export const minDays = 7;
export const minRounds = 20;

/** Older days are left out, because they say little about the current trend. */
const maxSpan = 90;

/** Changes are shown with one decimal; one that would be 0.0 is none. */
const minChange = 0.05;

/** How a figure moves over the latest 90 days. */
export type Trend =
  | { readonly kind: 'too-few'; readonly days: number; readonly runs: number }
  | {
      readonly kind: 'rising' | 'falling' | 'flat';
      /** Change per week: the median of the later half of the days against that of the earlier half. */
      readonly perWeek: number;
    };

/** @param days oldest first */
export function trendOf(days: readonly Day[], figure: (day: Day) => number): Trend {
  const last = days.at(-1)?.number ?? 0;
  const recent = days.filter((day) => last - day.number < maxSpan);
  const runs = recent.reduce((sum, day) => sum + day.runs, 0);
  if (recent.length < minDays || runs < minRounds) return { kind: 'too-few', days: recent.length, runs };
  const half = Math.floor(recent.length / 2);
  const [earlier, later] = [recent.slice(0, half), recent.slice(-half)];
  const middle = (some: readonly Day[], of: (day: Day) => number) => median(some.map(of));
  const weeks = (middle(later, (day) => day.number) - middle(earlier, (day) => day.number)) / 7;
  const perWeek = (middle(later, figure) - middle(earlier, figure)) / weeks;
  const kind = Math.abs(perWeek) < minChange ? 'flat' : perWeek > 0 ? 'rising' : 'falling';
  return { kind, perWeek };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share `p` (0 to 1) of `values` lies; between two values it interpolates. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
