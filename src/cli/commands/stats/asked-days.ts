import { toDate, toDayEnd, toDayStart, toEarlierDate } from '../../../tui/trend/days.ts';
import type { RoundFilter } from '../../../tui/trend/round-filter.ts';
import { UsageError } from '../../program/command-errors.ts';

/** A date, YYYY-MM-DD, or days before today. */
export type AskedDay = string | number;

/** The days that were asked for, both included; a missing one is open. */
export interface AskedDays {
  readonly since?: AskedDay;
  readonly until?: AskedDay;
}

/** The instants between which these days are. */
export function toDayFilter(
  { since, until }: AskedDays,
  zone: string,
): Pick<RoundFilter, 'since' | 'before'> {
  const now = new Date().toISOString();
  const toCalendarDate = (day: AskedDay) => (typeof day === 'string' ? day : toEarlierDate(now, day, zone));
  const first = since === undefined ? undefined : toCalendarDate(since);
  const last = until === undefined ? undefined : toCalendarDate(until);
  if (first !== undefined && last !== undefined && last < first) {
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  }
  return {
    ...(first === undefined ? {} : { since: toDayStart(first, zone) }),
    ...(last === undefined ? {} : { before: toDayEnd(last, zone) }),
  };
}

/** Such as ` since 2026-01-31`; empty where all days were asked for. */
export function toDaysText({ since, before }: RoundFilter, zone: string): string {
  const first = since === undefined ? undefined : toDate(since, zone);
  const last =
    before === undefined ? undefined : toDate(new Date(Date.parse(before) - 1).toISOString(), zone);
  if (first === undefined) return last === undefined ? '' : ` until ${last}`;
  if (last === undefined) return ` since ${first}`;
  return first === last ? ` on ${first}` : ` from ${first} to ${last}`;
}
