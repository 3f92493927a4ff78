import type { RoundRecord } from '../record/round-line.ts';
import { toDate } from './days.ts';

/** How far a typist has come today, and on how many days in a row the goal was reached. */
export interface DailyGoal {
  /** Minutes a day that are wanted. */
  readonly minutes: number;
  /** Whole minutes of today. */
  readonly done: number;
  /** Days in a row with the goal reached, today's or, while that is still open, yesterday's being the last. */
  readonly streak: number;
}

/** Seconds of typing by calendar date, YYYY-MM-DD. */
export type PractisedDays = ReadonlyMap<string, number>;

/**
 * A round belongs to the local day on which it was finished. Drills and rounds that a limit ended are practice, too; pasted
 * ones are not.
 */
export function addToDays(
  days: PractisedDays,
  records: readonly RoundRecord[],
  timeZone: string,
): PractisedDays {
  const sums = new Map(days);
  for (const { counts, mode, ended, finished, seconds } of records) {
    if (!counts && mode !== 'drill' && ended === undefined) continue;
    const date = toDate(finished, timeZone);
    sums.set(date, (sums.get(date) ?? 0) + seconds);
  }
  return sums;
}

/** @param now ISO 8601 UTC */
export function toDailyGoal(days: PractisedDays, minutes: number, now: string, timeZone: string): DailyGoal {
  const today = toDate(now, timeZone);
  const isReached = (date: string) => (days.get(date) ?? 0) >= minutes * 60;
  let streak = 0;
  let date = isReached(today) ? today : toDayBefore(today);
  for (; isReached(date); date = toDayBefore(date)) streak += 1;
  return { minutes, done: Math.floor((days.get(today) ?? 0) / 60), streak };
}

/** Dates have no hours: no change of clocks can come between. */
function toDayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}
