// Rounds by the calendar day on which they were finished: figures, trend and daily goal.
import type { RoundRecord } from './round-record.ts';

const dayMs = 86_400_000;

/** The zone that this machine is set to. */
export function readTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns a function from instants to calendar dates, YYYY-MM-DD. */
function dateFormat(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (instant) => format.format(Date.parse(instant));
}

/** The calendar date of an instant, YYYY-MM-DD. */
export function dateOf(instant: string, timeZone: string): string {
  return dateFormat(timeZone)(instant);
}

/** Items by name, in the order in which the names first appear. */
export function grouped<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** @param rounds oldest first */
export function groupByDate(rounds: readonly RoundRecord[], timeZone: string) {
  const dateOf = dateFormat(timeZone);
  return grouped(rounds, ({ finished }) => dateOf(finished));
}

/** The figures of each calendar day. */
export function daysOf(groups: ReadonlyMap<string, readonly RoundRecord[]>) {
  return [...groups].map(([date, rounds]) => ({
    /** YYYY-MM-DD in the typist's time zone. */
    date,
    /** Days since 1970-01-01, to measure distances with. */
    number: Date.parse(date) / dayMs,
    runs: rounds.length,
    wpm: spreadOf(rounds.map(({ standardWpm }) => standardWpm)),
    accuracy: spreadOf(rounds.map(({ accuracy }) => accuracy)),
  }));
}
export type Day = Readonly<ReturnType<typeof daysOf>[number]>;

function spreadOf(values: readonly number[]) {
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

/** With fewer, there is no trend. */
export const minDays = 7;
export const minRounds = 20;

/** Older days are left out, because they say little about the current trend. */
const maxSpan = 90;

/** Changes are shown with one decimal; one that would be 0.0 is none. */
const minChange = 0.05;

/** How a figure changes over the latest 90 days. */
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
  const change = (of: (day: Day) => number) =>
    median(recent.slice(-half).map(of)) - median(recent.slice(0, half).map(of));
  const perWeek = (change(figure) / change(({ number }) => number)) * 7;
  const kind = Math.abs(perWeek) < minChange ? 'flat' : perWeek > 0 ? 'rising' : 'falling';
  return { kind, perWeek };
}

/**
 * How far a typist has come today, and on how many days in a row the goal was reached. A round belongs to the
 * local day on which it was finished. Drills are practice, too; pasted rounds are not.
 *
 * @param minutes target a day; @param now ISO 8601 UTC
 */
export function dailyGoal(records: readonly RoundRecord[], minutes: number, now: string, timeZone: string) {
  const practice = records.filter(({ counts, mode }) => counts || mode === 'drill');
  const dates = groupByDate(practice, timeZone);
  const secondsOf = (date: string) => (dates.get(date) ?? []).reduce((sum, { seconds }) => sum + seconds, 0);
  const isReached = (date: string) => secondsOf(date) >= minutes * 60;
  const today = dateOf(now, timeZone);
  let streak = 0;
  // Up to today or, while that is still open, yesterday.
  let date = isReached(today) ? today : dayBefore(today);
  for (; isReached(date); date = dayBefore(date)) streak += 1;
  return { minutes, done: Math.floor(secondsOf(today) / 60), streak };
}
export type DailyGoal = Readonly<ReturnType<typeof dailyGoal>>;

/** Dates have no hours, so daylight saving does not matter. */
function dayBefore(date: string): string {
  return new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);
}
