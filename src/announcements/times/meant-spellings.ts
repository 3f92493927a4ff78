import { Temporal } from 'temporal-polyfill';
import type { DateContext } from './date-spelling.ts';
import { toLocalDate } from './zone.ts';

interface Context extends DateContext {
  /** What a month or a year means: its first day, or its last. */
  readonly dateMeans: 'start' | 'end';
}

type Rule = readonly [
  pattern: RegExp,
  toSpellings: (groups: Readonly<Record<string, string>>, context: Context) => readonly string[],
];

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const units: Readonly<Record<string, string>> = { minute: 'm', month: 'mo' };
const timesOfDay: Readonly<Record<string, string>> = {
  noon: '12:00',
  midday: '12:00',
  morning: '09:00',
  afternoon: '15:00',
  evening: '18:00',
};

/** The ways in which people write moments and which are not accepted as they are: a guess is shown, and never acted on. */
const rules: readonly Rule[] = [
  [
    /^(?:[a-z]+,? )?(?<day>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?<month>[a-z]{3,9})\.?,?(?: (?<year>\d{4}))?(?:,? (?:at )?(?<time>\d.*))?$/,
    fromNamedMonth,
  ],
  [
    /^(?:[a-z]+,? )?(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}))?(?:,? (?:at )?(?<time>\d.*))?$/,
    fromNamedMonth,
  ],
  [
    /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.?(?: (?<time>\d.*))?$/,
    ({ day, month, time }, context) => withYear(month, day, time, context),
  ],
  [
    /^(?<first>\d{1,2})[/-](?<second>\d{1,2})(?: (?<time>\d.*))?$/,
    ({ first, second, time }, context) => [
      ...withYear(first, second, time, context),
      ...withYear(second, first, time, context),
    ],
  ],
  [/^(?<year>\d{4})(?:-(?<month>\d{2}))?$/, fromWholePeriod],
  [
    /^(?:in |for |the )*(?<count>next|an?|[a-z]+|\+?\d{1,3}) (?<unit>minute|hour|day|week|month|year)s?(?: from (?:now|today)| later)?$/,
    ({ count = '', unit = '' }) => toSpan(count, unit),
  ],
  [/^\+?(?<count>\d{1,3})$/, ({ count = '' }) => toSpan(count, 'day')],
  [/^(?:the )?(?:end of (?:the |this )?|eo)(?<unit>day|week|month|year|[dwmy])$/, fromEndOf],
  [
    /^(?:the )?day after tomorrow$/,
    (_, { zone, now }) => [toLocalDate(now, zone).add({ days: 2 }).toString()],
  ],
  [
    /^(?:at |this )?(?<part>noon|midday|morning|afternoon|evening)$/,
    ({ part = '' }, context) => [toComing(timesOfDay[part] ?? '', context)],
  ],
  [/^(?:at )?midnight$/, () => ['tomorrow 00:00']],
  [/^(?:tonight|this night)$/, () => ['today 23:59']],
  [/^(?:on|by|until|till|before|this) (?<rest>.+)$/, ({ rest = '' }) => [rest]],
  [/^(?<rest>.*\d.*)$/, ({ rest = '' }) => [rest]], // in capitals
  [/^(?<rest>.+\d) ?(?:utc|gmt)$/, ({ rest = '' }) => [`${rest}Z`]],
  [/^(?<day>.+ )?(?<time>\d{1,2}(?:[.:h]\d{2})?(?: ?(?:h|uhr|o.clock|[ap]\.?m\.?))?)$/, fromClockTime],
];

/**
 * What a text that was not understood may mean. Whether these spellings work has still to be checked.
 *
 * @param text without white space at its ends
 */
export function meantSpellings(text: string, context: Context): string[] {
  const written = text.toLowerCase();
  const spellings = rules.flatMap(([pattern, toSpellings]) => {
    const match = pattern.exec(written);
    return match === null ? [] : toSpellings(match.groups ?? {}, context);
  });
  return [...new Set(spellings)];
}

/**
 * For a date or time that does not exist, the nearest that does, such as `2026-11-30` for `2026-11-31`.
 *
 * @param iso in the order of ISO 8601
 */
export function nearestSpelling(iso: string): string | undefined {
  const [, year, month, day, hour, minute] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{1,2}):(\d{2}))?/i.exec(iso) ?? [];
  if (year === undefined) return undefined;
  const [m = 1, d = 1] = [month, day].map((part) => Math.max(1, Number(part)));
  const date = Temporal.PlainDate.from({ year: Number(year), month: m, day: d });
  if (hour === undefined || minute === undefined) return date.toString();
  if (Number(hour) === 24) return `${date.add({ days: 1 })} 00:${minute}`;
  return `${date} ${Number(hour) > 23 || Number(minute) > 59 ? '23:59' : `${hour}:${minute}`}`;
}

function fromNamedMonth({ day, month = '', year, time }: Readonly<Record<string, string>>, context: Context) {
  const number = months.indexOf(month.slice(0, 3)) + 1;
  if (number === 0) return [];
  return withYear(String(number), day, time, context, year);
}

/** Without a year it is the next such day. */
function withYear(
  month: string | undefined,
  day: string | undefined,
  time: string | undefined,
  { zone, now }: Context,
  written?: string,
): string[] {
  const today = toLocalDate(now, zone).toString();
  const inYear = (year: string) => `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const thisYear = today.slice(0, 4);
  const next = inYear(thisYear) < today ? String(Number(thisYear) + 1) : thisYear;
  const clock = time === undefined ? '' : ` ${toClockTime(time) ?? time}`;
  return [inYear(written ?? next) + clock];
}

/** A month or a year means its first day as a start, and its last as an end. */
function fromWholePeriod(
  { year, month }: Readonly<Record<string, string>>,
  { dateMeans }: Context,
): string[] {
  if (dateMeans === 'start') return [`${year}-${month ?? '01'}-01`];
  return [nearestSpelling(`${year}-${month ?? '12'}-31`) ?? ''];
}

function toSpan(count: string, unit: string): string[] {
  const number = /\d/.test(count) ? Number(count) : /^(?:next|an?)$/.test(count) ? 1 : counts.indexOf(count);
  return number < 0 ? [] : [`+${number}${units[unit] ?? unit.charAt(0)}`];
}

function fromEndOf({ unit = '' }: Readonly<Record<string, string>>, { zone, now }: Context): string[] {
  const today = toLocalDate(now, zone);
  switch (unit.charAt(0)) {
    case 'd':
      return ['today 23:59'];
    case 'w':
      return [today.add({ days: 7 - today.dayOfWeek }).toString()];
    case 'm':
      return [today.with({ day: today.daysInMonth }).toString()];
    default:
      return [`${today.year}-12-31`];
  }
}

function fromClockTime({ day, time = '' }: Readonly<Record<string, string>>, context: Context): string[] {
  const clock = toClockTime(time);
  if (clock === undefined) return [];
  return [day === undefined ? toComing(clock, context) : `${day}${clock}`];
}

/** `18:00` for `18h`, `18.00`, `18 Uhr` or the impossible `18pm`. */
function toClockTime(text: string): string | undefined {
  const [, hour, minutes = '00', half] =
    /^(\d{1,2})(?:[.:h](\d{2}))?(?: ?(?:h|uhr|o.clock|([ap])\.?m\.?))?$/.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const isLater = half === 'p' && Number(hour) < 12;
  return `${isLater ? Number(hour) + 12 : hour.padStart(2, '0')}:${minutes}`;
}

/** A time of today, or of tomorrow where it has passed. */
function toComing(clock: string, { zone, now }: Context): string {
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainTime();
  return clock > time.toString() ? clock : `tomorrow ${clock}`;
}
