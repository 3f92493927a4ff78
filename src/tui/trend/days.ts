import { Temporal } from 'temporal-polyfill';
import type { RoundRecord } from '../record/round-line.ts';
import { toMedian, toQuantile } from './quantiles.ts';

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

/** Rounds by the date on which they were finished. */
export function groupByDay(
  records: readonly RoundRecord[],
  timeZone: string,
): ReadonlyMap<string, readonly RoundRecord[]> {
  const groups = new Map<string, RoundRecord[]>();
  for (const record of records) {
    const date = toDate(record.finished, timeZone);
    const group = groups.get(date);
    if (group === undefined) groups.set(date, [record]);
    else group.push(record);
  }
  return groups;
}

/** What the rounds of each day show, oldest first. */
export function toDays(groups: ReadonlyMap<string, readonly RoundRecord[]>): Day[] {
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([date, rounds]) => toDay(date, rounds));
}

/** The calendar date of an instant, YYYY-MM-DD. */
export function toDate(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The calendar date so many days before that of an instant, YYYY-MM-DD. */
export function toEarlierDate(instant: string, days: number, timeZone: string): string {
  const date = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  return date.subtract({ days }).toString();
}

/** The instant at which a day begins, ISO 8601 UTC. */
export function toDayStart(date: string, timeZone: string): string {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone);
  return new Date(start.epochMilliseconds).toISOString();
}

/** The instant at which the day after a day begins, ISO 8601 UTC: what happened before it was on that day or earlier. */
export function toDayEnd(date: string, timeZone: string): string {
  return toDayStart(Temporal.PlainDate.from(date).add({ days: 1 }).toString(), timeZone);
}

function toDay(date: string, rounds: readonly RoundRecord[]): Day {
  return {
    date,
    number: Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000),
    runs: rounds.length,
    wpm: toSpread(rounds.map(({ standardWpm }) => standardWpm)),
    accuracy: toSpread(rounds.map(({ accuracy }) => accuracy)),
  };
}

function toSpread(values: readonly number[]): Spread {
  return {
    median: toMedian(values),
    lowerQuartile: toQuantile(values, 0.25),
    upperQuartile: toQuantile(values, 0.75),
  };
}
