import { Temporal } from 'temporal-polyfill';
import type { RoundRecord } from './round-record.ts';

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

/** Where the middle lies, and between what the middle half lies. */
interface Spread {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** Rounds by the date on which they were finished, oldest first. */
export function groupByDate<Round extends Pick<RoundRecord, 'finished'>>(
  rounds: readonly Round[],
  timeZone: string,
): Map<string, Round[]> {
  const groups = new Map<string, Round[]>();
  for (const round of rounds) {
    const date = dateOf(round.finished, timeZone);
    const group = groups.get(date) ?? [];
    groups.set(date, group);
    group.push(round);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the rounds of each day show. */
export function daysOf(groups: ReadonlyMap<string, readonly RoundRecord[]>): Day[] {
  return [...groups].map(([date, rounds]) => ({
    date,
    number: Math.round(Date.parse(`${date}T00:00:00Z`) / dayMs),
    runs: rounds.length,
    wpm: spreadOf(rounds.map(({ standardWpm }) => standardWpm)),
    accuracy: spreadOf(rounds.map(({ accuracy }) => accuracy)),
  }));
}

const dayMs = 86_400_000;

function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    lowerQuartile: quantile(values, 0.25),
    upperQuartile: quantile(values, 0.75),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share `p` (0 to 1) of `values` lies; between two values it interpolates. */
function quantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** The calendar date of an instant, YYYY-MM-DD; `ago` days before it. */
export function dateOf(instant: string, timeZone: string, ago = 0): string {
  const date = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  return date.subtract({ days: ago }).toString();
}

/** The instants at which a day begins and ends, ISO 8601 UTC. */
export function spanOfDay(
  date: string,
  timeZone: string,
): { readonly since: string; readonly before: string } {
  const day = Temporal.PlainDate.from(date);
  const startOf = (each: Temporal.PlainDate) =>
    new Date(each.toZonedDateTime(timeZone).epochMilliseconds).toISOString();
  return { since: startOf(day), before: startOf(day.add({ days: 1 })) };
}

/** The zone that this machine is set to. */
export function readTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Days with fewer of them tell no trend. */
export const fewestDays = 7;
export const fewestRounds = 20;

/** Older days say little about where somebody is going. */
const longestSpan = 90;

/** A change is given with one decimal: what shows as 0.0 is none. */
const smallestChange = 0.05;

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
  const recent = days.filter((day) => last - day.number < longestSpan);
  const runs = recent.reduce((sum, day) => sum + day.runs, 0);
  if (recent.length < fewestDays || runs < fewestRounds)
    return { kind: 'too-few', days: recent.length, runs };
  const half = Math.floor(recent.length / 2);
  const [earlier, later] = [recent.slice(0, half), recent.slice(-half)];
  const middle = (some: readonly Day[], of: (day: Day) => number) => median(some.map(of));
  const weeks = (middle(later, (day) => day.number) - middle(earlier, (day) => day.number)) / 7;
  const perWeek = (middle(later, figure) - middle(earlier, figure)) / weeks;
  const kind = Math.abs(perWeek) < smallestChange ? 'flat' : perWeek > 0 ? 'rising' : 'falling';
  return { kind, perWeek };
}

/** How far a typist has come today, and on how many days in a row the goal was reached. */
export interface DailyGoal {
  /** Minutes a day that are wanted. */
  readonly minutes: number;
  /** Whole minutes of today. */
  readonly done: number;
  /** Days in a row with the goal reached, today's or, while that is still open, yesterday's being the last. */
  readonly streak: number;
}

/**
 * A round belongs to the local day on which it was finished. Drills are practice, too; pasted rounds are not.
 *
 * @param now ISO 8601 UTC
 */
export function dailyGoal(
  records: readonly RoundRecord[],
  minutes: number,
  now: string,
  timeZone: string,
): DailyGoal {
  const seconds = new Map<string, number>();
  for (const { counts, mode, finished, seconds: typed } of records) {
    if (!counts && mode !== 'drill') continue;
    const date = dateOf(finished, timeZone);
    seconds.set(date, (seconds.get(date) ?? 0) + typed);
  }
  const isReached = (date: string) => (seconds.get(date) ?? 0) >= minutes * 60;
  const today = dateOf(now, timeZone);
  let streak = 0;
  let date = isReached(today) ? today : dayBefore(today);
  for (; isReached(date); date = dayBefore(date)) streak += 1;
  return { minutes, done: Math.floor((seconds.get(today) ?? 0) / 60), streak };
}

/** Dates have no hours: no change of clocks can come between. */
function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
}
