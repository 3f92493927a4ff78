import { Temporal } from 'temporal-polyfill';
import { dateOf, spanOfDay } from '../../../tui/progress/days.ts';
import type { RoundFilter } from '../../../tui/progress/report.ts';
import { UsageError } from '../../program/command-errors.ts';

/** The days that were asked for as they were written, both included; a missing one is open. */
export interface AskedDays {
  readonly since?: string;
  readonly until?: string;
}

/** The instants between which these days are. */
export function dayFilter(
  { since, until }: AskedDays,
  zone: string,
  now = new Date().toISOString(),
): Pick<RoundFilter, 'since' | 'before'> {
  const first = since === undefined ? undefined : parseDay('--since', since, zone, now);
  const last = until === undefined ? undefined : parseDay('--until', until, zone, now);
  if (first !== undefined && last !== undefined && last < first)
    throw new UsageError(`--until ${last} is before --since ${first}.`);
  return {
    ...(first !== undefined && { since: spanOfDay(first, zone).since }),
    ...(last !== undefined && { before: spanOfDay(last, zone).before }),
  };
}

const spanPattern = /^-?(?:last )?(\d{1,4}) ?(d|w|m|y|days?|weeks?|months?|years?)(?: ago)?$/;
const units = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;

/** A day as YYYY-MM-DD. The forms are those of the error. */
function parseDay(option: string, text: string, zone: string, now: string): string {
  const written = text.trim().toLowerCase();
  if (written === 'today') return dateOf(now, zone);
  if (written === 'yesterday') return dateOf(now, zone, 1);
  const [, count, unit] = spanPattern.exec(written) ?? [];
  if (unit !== undefined) {
    const span = { [units[unit[0] as keyof typeof units]]: Number(count) };
    return Temporal.PlainDate.from(dateOf(now, zone)).subtract(span).toString();
  }
  const [, year, month, day] = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(written) ?? [];
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  try {
    return Temporal.PlainDate.from(date, { overflow: 'reject' }).toString();
  } catch {
    throw new UsageError(`${option}: "${text}" is not a day: write 2026-01-31, today, yesterday, 7d or 2w.`);
  }
}

/** Such as ` since 2026-01-31`; empty if all days were asked for. */
export function daysText({ since, before }: RoundFilter, zone: string): string {
  const first = since === undefined ? undefined : dateOf(since, zone);
  const last =
    before === undefined ? undefined : dateOf(new Date(Date.parse(before) - 1).toISOString(), zone);
  if (first === undefined) return last === undefined ? '' : ` until ${last}`;
  if (last === undefined) return ` since ${first}`;
  return first === last ? ` on ${first}` : ` from ${first} to ${last}`;
}
