import { toDate, toDayEnd, toDayStart } from '../../../tui/trend/days.ts';
import type { RoundFilter } from '../../../tui/trend/round-filter.ts';
import { UsageError } from '../../program/command-errors.ts';
import type { DayContext } from './day-text.ts';

/** The days that were asked for as they were written, both included; a missing one is open. */
export interface AskedDays {
  readonly since?: string;
  readonly until?: string;
}

/** The instants between which these days are. */
export async function toDayFilter(
  { since, until }: AskedDays,
  zone: string,
): Promise<Pick<RoundFilter, 'since' | 'before'>> {
  const now = Date.now();
  const first = since === undefined ? undefined : await readDay('--since', since, { zone, now });
  const last = until === undefined ? undefined : await readDay('--until', until, { zone, now });
  if (first !== undefined && last !== undefined && last < first) {
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  }
  return {
    ...(first === undefined ? {} : { since: toDayStart(first, zone) }),
    ...(last === undefined ? {} : { before: toDayEnd(last, zone) }),
  };
}

/** The rules are those of announcements, and are loaded only where a day is asked for. */
async function readDay(option: string, text: string, context: DayContext): Promise<string> {
  const { parseDay } = await import('./day-text.ts');
  const day = parseDay(text, context);
  if ('date' in day) return day.date;
  throw new UsageError(`${option}: ${day.problem}.`);
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
