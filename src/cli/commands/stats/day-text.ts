import { Temporal } from 'temporal-polyfill';
import { parseMoment, toRefusal } from '../../../announcements/times/moment.ts';
import { addSpan, parseSpan } from '../../../announcements/times/span.ts';
import { toLocalDate } from '../../../announcements/times/zone.ts';
import { toDayStart } from '../../../tui/trend/days.ts';

export interface DayContext {
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A date, YYYY-MM-DD, or why the text is none, with what to write instead. */
type AskedDay = { readonly date: string } | { readonly problem: string };

const oneDay = 86_400_000;

const examples = ['2026-01-31', 'yesterday', '7d', '2w'];

/**
 * Reads a day as the times of an announcement are read, in the same spellings and with the same answers, but looking back: `7d` and
 * `7 days` are days before today, and `friday` is the last one.
 */
export function parseDay(text: string, context: DayContext): AskedDay {
  const written = text.trim().replace(/\s+/g, ' ');
  const bare = written.replace(/ ago$/i, '').replace(/^(?:the )?(?:last|past) /i, '');
  try {
    return readDay(bare, context) ?? refuse(bare, context);
  } catch (error) {
    if (error instanceof RangeError) return toRefusal(`${written} is too far away`, examples);
    throw error;
  }
}

/** Undefined where it is not understood. */
function readDay(written: string, context: DayContext): AskedDay | undefined {
  const { zone, now } = context;
  if (/^now$/i.test(written)) return { date: dateAt(now, zone) };
  const span = parseSpan(written.replace(/^-(?=\d)/, '').toLowerCase());
  if (span !== undefined) return readSpan(written, span, context);
  const base = isWeekday(written) ? before(context, { days: 7 }) : now;
  const moment = parseMoment(written, { zone, now: base, dateMeans: 'start' });
  if (!('instant' in moment)) return undefined;
  const date = dateAt(moment.instant, zone);
  if (Date.parse(toDayStart(date, zone)) === moment.instant) return { date };
  return toRefusal(`"${written}" has a time, and days count as a whole`, [date]);
}

function readSpan(written: string, span: Temporal.Duration, { zone, now }: DayContext): AskedDay {
  if (span.hours + span.minutes + span.seconds > 0)
    return toRefusal(`${written} is not a number of days`, ['today', 'yesterday', '2d']);
  const date = dateAt(addSpan(now, span.negated(), zone), zone);
  const [sign] = /^(?:\+|in )/i.exec(written) ?? [];
  return sign === undefined
    ? { date }
    : toRefusal(`${written} is still to come`, [written.slice(sign.length)]);
}

/** What people say of a stretch of time, and the spelling that begins with it. */
const periods: Readonly<Record<string, string>> = { day: 'today', week: '7d', month: '30d', year: '365d' };

/** Why a text is not understood, with spellings that are. */
function refuse(written: string, context: DayContext): AskedDay {
  const unknown = `"${written}" is not a recognised time`;
  const period = written.toLowerCase().replace(/^(?:the|this|a|one) /, '');
  if (Object.hasOwn(periods, period)) return toRefusal(unknown, [periods[period] ?? '']);
  if (/^\d{1,3}$/.test(written)) return toRefusal(unknown, [`${written}d`]);
  // A date without a year, such as 31.12., is the last one.
  const now = isWeekday(written) ? before(context, { days: 7 }) : before(context, { years: 1 }) + oneDay;
  const guess = parseMoment(written, { zone: context.zone, now, dateMeans: 'start', examples });
  if ('instant' in guess) return toRefusal(unknown, examples);
  const meant = guess.spellings.map(toDaySpelling).filter((spelling) => isUnderstood(spelling, context));
  return toRefusal(guess.reason, meant.length === 0 ? examples : [...new Set(meant)]);
}

/** The day alone: `7d` for `+7d`, `today` for `today 18:00`. */
function toDaySpelling(spelling: string): string {
  return spelling.replace(/^\+/, '').replace(/[Tt ]\d{1,2}:\d{2}.*$/, '');
}

/** What is still to come is no day to look back to. */
function isUnderstood(spelling: string, context: DayContext): boolean {
  const read = readDay(spelling, context);
  return read !== undefined && 'date' in read && !/^tomorrow$/i.test(spelling);
}

/** The last day of that name is meant, while an announcement takes the next one. */
function isWeekday(written: string): boolean {
  return /^(?:on |next )?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*(?=$| )/i.test(written);
}

function before({ zone, now }: DayContext, span: Temporal.DurationLike): number {
  return addSpan(now, Temporal.Duration.from(span).negated(), zone);
}

function dateAt(instant: number, zone: string): string {
  return toLocalDate(instant, zone).toString();
}
