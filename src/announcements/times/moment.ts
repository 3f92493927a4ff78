import { Temporal } from 'temporal-polyfill';
import { alternatives } from '../values/field.ts';
import { instantText, latestInstant } from './instant.ts';
import { clockText, localDate } from './zone.ts';

/*
 * One rule for moments as editors write them:
 *
 *   now · +30d, 2 weeks · 2026-12-31, 31.12.2026 · today, tomorrow
 *   any day with a time: 2026-12-31 18:00, tomorrow 18:00 · a time today: 18:00 · 2026-12-31T18:00:00+01:00
 *
 * What could mean two days is refused with both readings; anything else with the forms.
 */

export interface MomentContext {
  readonly zone: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface MomentOptions extends MomentContext {
  /** What a span such as `+30d` counts from, epoch milliseconds. Default: `now`. */
  readonly base?: number;
  /** What a date alone means: the first second of that day, or its last. */
  readonly dateMeans: 'start' | 'end';
}

/** Epoch milliseconds, or why it is not a moment, with spellings that would work. */
type Moment = { readonly instant: number } | { readonly problem: string };

/** A start in epoch milliseconds, or a problem. `today` means now, because its first second is over. */
export function parseStart(text: string, context: MomentContext): Moment {
  const written = /^\s*today\s*$/i.test(text) ? 'now' : text;
  return parseMoment(written, { ...context, dateMeans: 'start' });
}

/** An end in epoch milliseconds, or a problem; spans count from the start if that is in the future. */
export function parseExpiry(text: string, start: number, context: MomentContext): Moment {
  return parseMoment(text, { ...context, base: Math.max(start, context.now), dateMeans: 'end' });
}

export const defaultExpiry = '+30d';

export function parseMoment(text: string, options: MomentOptions): Moment {
  const written = text.trim().replace(/\s+/g, ' ');
  const span = parseSpan(written);
  const tooFar = `${written} is too far away; the last possible moment is ${instantText(latestInstant)}`;
  try {
    const moment = readMoment(written, span, options) ?? notUnderstood(written, options);
    if ('problem' in moment) return moment;
    const instant = Math.floor(moment.instant / 1000) * 1000;
    if (instant > latestInstant) return refusal(tooFar, examples(options));
    return instant < 0 ? refusal(`${written} is before 1970`, examples(options)) : { instant };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refusal(span === undefined ? `${written} does not exist` : tooFar, examples(options));
  }
}

/** Undefined if it is not understood; throws a `RangeError` if there is no such moment. */
function readMoment(
  written: string,
  span: Temporal.Duration | undefined,
  { zone, now, base = now, dateMeans }: MomentOptions,
): Moment | undefined {
  if (/^now$/i.test(written)) return { instant: now };
  if (span !== undefined) {
    // Days and longer units are those of the calendar: the time of day stays the same when clocks change.
    const start = Temporal.Instant.fromEpochMilliseconds(base).toZonedDateTimeISO(zone);
    return { instant: start.add(span).epochMilliseconds };
  }
  const iso = isoSpelling(written, localDate(now, zone));
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return { instant: dayInstant(iso, zone, dateMeans) };
  const [, date, time = '', offset] = isoPattern.exec(iso) ?? [];
  if (date === undefined) return undefined;
  const plain = `${date}T${time.indexOf(':') === 1 ? '0' : ''}${time}`;
  if (offset === undefined) return readLocal(Temporal.PlainDateTime.from(plain), zone);
  return { instant: Temporal.Instant.from(`${plain}${offset}`).epochMilliseconds };
}

const isoPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?$/;

function dayInstant(iso: string, zone: string, means: 'start' | 'end'): number {
  const date = Temporal.PlainDate.from(iso);
  if (means === 'start') return date.toZonedDateTime(zone).epochMilliseconds;
  return date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds - 1000;
}

/** Refuses times that exist twice because clocks go back; one that they skip is the same after the change. */
function readLocal(plain: Temporal.PlainDateTime, zone: string): Moment {
  const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = plain.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.equals(later) || !later.toPlainDateTime().equals(plain))
    return { instant: later.epochMilliseconds };
  const written = clockText(plain);
  const spellings = [earlier, later].map(({ offset }) => `${written}${offset}`);
  return refusal(`${written} occurs twice in ${zone}: the clocks go back then`, spellings);
}

const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[Tt ])/;
const unclear = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|[Tt ])/;

/** Rewrites an unambiguous day, or a time today, in ISO 8601; anything else stays as it is. */
function isoSpelling(text: string, today: Temporal.PlainDate): string {
  return text
    .replace(/^today(?=$| )/i, today.toString())
    .replace(/^tomorrow(?=$| )/i, today.add({ days: 1 }).toString())
    .replace(dayFirst, (_, day, month, year) => dateText(year, month, day))
    .replace(/^(?=\d{1,2}:\d{2})/, `${today} `);
}

/** Answers `03/04/2026`, which may have only one reading, with its readings, and anything else with the forms. */
function notUnderstood(written: string, options: MomentOptions): Moment {
  const [date = '', first = '', second = '', year = ''] = unclear.exec(written) ?? [];
  const orders = date === '' ? [] : [dateText(year, first, second), dateText(year, second, first)];
  const readings = [...new Set(orders)]
    .map((day) => day + written.slice(date.length))
    .filter((reading) => 'instant' in parseMoment(reading, options));
  if (readings.length === 2) return refusal(`"${written}" could mean either of two moments`, readings);
  const forms = readings.length === 1 ? readings : examples(options);
  return refusal(`"${written}" is not a recognised time`, forms);
}

function examples({ dateMeans, now }: MomentOptions): readonly string[] {
  const year = new Date(now).getUTCFullYear() + 1;
  return dateMeans === 'start'
    ? [`${year}-12-01`, `${year}-12-01 09:00`, '+2d']
    : [`${year}-12-31`, `${year}-12-31 18:00`, '+30d'];
}

/** @param reason what was wrong, such as `"soon" is not a recognised time` */
function refusal(reason: string, spellings: readonly string[]): Moment {
  const quoted = spellings.map((spelling) => (spelling.includes(' ') ? `"${spelling}"` : spelling));
  return { problem: `${reason}; write ${alternatives(quoted)}` };
}

function dateText(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const units = {
  years: /^y(?:ears?)?$/,
  months: /^mo(?:nths?)?$/,
  weeks: /^w(?:eeks?)?$/,
  days: /^d(?:ays?)?$/,
  hours: /^h(?:ours?)?$/,
  minutes: /^m(?:in(?:ute)?s?)?$/,
  seconds: /^s(?:ec(?:ond)?s?)?$/,
} as const;

/** Reads `+30d`, `+1d12h`, `90s`, `+1mo` or `in 30 days`; undefined if it is not a span. */
function parseSpan(text: string): Temporal.Duration | undefined {
  const [, amounts] = /^(?:\+|in )?((?:\d{1,7} ?[a-z]+ ?)+)$/.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const span: Partial<Record<string, number>> = {};
  for (const [, count, word = ''] of amounts.matchAll(/(\d+) ?([a-z]+)/g)) {
    const [unit] = Object.entries(units).find(([, names]) => names.test(word)) ?? [];
    if (unit === undefined) return undefined;
    span[unit] = (span[unit] ?? 0) + Number(count);
  }
  return Temporal.Duration.from(span);
}
