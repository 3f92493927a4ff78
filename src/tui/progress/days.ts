import { Temporal } from 'temporal-polyfill';
import type { RoundRecord } from './round-record.ts';
import { type Day, quantile } from './trend.ts';

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

function spreadOf(values: readonly number[]): Day['wpm'] {
  return {
    median: quantile(values, 0.5),
    lowerQuartile: quantile(values, 0.25),
    upperQuartile: quantile(values, 0.75),
  };
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

/** How far a typist has come today, and on how many days in a row the goal was reached. */
export interface DailyGoal {
  /** Minutes a day that are wanted. */
  readonly minutes: number;
  /** Whole minutes of today. */
  readonly done: number;
  /** Days in a row with the goal reached, up to today or, while that is still open, yesterday. */
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
