import { Temporal } from 'temporal-polyfill';
import { latestInstant, toInstantText } from './instant.ts';

export interface MomentOptions {
  /** The editor's time zone, such as `Europe/Berlin`: times without offset are meant there. */
  readonly zone: string;
  /** The clock, epoch milliseconds. */
  readonly now: number;
  /** What a span such as `+30d` counts from, epoch milliseconds. Default: `now`. */
  readonly base?: number;
  /** What a date alone means: the first second of that day, or its last. */
  readonly dateMeans: 'start' | 'end';
}

export type Moment = { readonly instant: number } | { readonly problem: string };

const spanPattern = /^\+(?:\d{1,7}(?:mo|[ywdhm]))+$/;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** Reads what an editor writes for a moment: `now`, `+30d`, `2026-12-31`, `2026-12-31 18:00`, `2026-12-31T18:00:00+01:00`. */
export function parseMoment(text: string, options: MomentOptions): Moment {
  const written = text.trim();
  try {
    const instant = readMoment(written, options);
    if (instant === undefined) return { problem: notUnderstood(written, options) };
    if (typeof instant === 'string') return { problem: instant };
    if (instant > latestInstant) return { problem: tooFar(written) };
    if (instant < 0) return { problem: `${written} is before 1970` };
    return { instant };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (spanPattern.test(written)) return { problem: tooFar(written) };
    return { problem: `${written} is on no calendar and clock; write it like ${example(options)}` };
  }
}

/** The instant, or a sentence about why it is none, or undefined for a form that is not known. */
function readMoment(written: string, options: MomentOptions): number | string | undefined {
  if (written === 'now') return wholeSecond(options.now);
  if (spanPattern.test(written)) return addSpan(written, options);
  if (datePattern.test(written)) return readDate(written, options);
  const [, date, time, offset] = timePattern.exec(written) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const plain = `${date}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}`;
  if (offset !== undefined) return wholeSecond(Temporal.Instant.from(`${plain}${offset}`).epochMilliseconds);
  return readLocal(Temporal.PlainDateTime.from(plain), options.zone);
}

function readDate(written: string, { zone, dateMeans }: MomentOptions): number {
  const date = Temporal.PlainDate.from(written);
  if (dateMeans === 'start') return date.toZonedDateTime(zone).epochMilliseconds;
  return date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds - 1000;
}

/** Where the clocks are put forward, an hour does not exist; where they are put back, one comes twice. Neither is guessed at. */
function readLocal(plain: Temporal.PlainDateTime, zone: string): number | string {
  const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = plain.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.equals(later)) return wholeSecond(earlier.epochMilliseconds);
  const written = toClockText(plain);
  if (!later.toPlainDateTime().equals(plain)) {
    const next = toClockText(later.toPlainDateTime());
    return `${written} does not exist in ${zone}: the clocks are put forward over it; ${next} is probably what is meant`;
  }
  return `${written} comes twice in ${zone}, as the clocks are put back; write ${written}${earlier.offset} for the first, ${written}${later.offset} for the second`;
}

const units = { y: 'years', mo: 'months', w: 'weeks', d: 'days', h: 'hours', m: 'minutes' } as const;

/** Days and longer are days of the calendar (the same time of day, DST or not; 31 January and a month is the last of February). */
function addSpan(written: string, { zone, now, base = now }: MomentOptions): number {
  const duration: Temporal.DurationLikeObject = {};
  for (const [, amount, unit] of written.matchAll(/(\d+)(mo|[ywdhm])/g)) {
    const name = units[unit as keyof typeof units];
    duration[name] = (duration[name] ?? 0) + Number(amount);
  }
  const start = Temporal.Instant.fromEpochMilliseconds(wholeSecond(base)).toZonedDateTimeISO(zone);
  return start.add(duration).epochMilliseconds;
}

/** The name of the zone that the computer (or `TZ`) is set to; undefined where it is set to none that exists. */
export function readLocalZone(): string | undefined {
  const zone = Temporal.Now.timeZoneId();
  return isZone(zone) && zone !== 'Etc/Unknown' ? zone : undefined;
}

export function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** An instant (epoch milliseconds) as a clock in that zone shows it: `2026-12-31 18:00`, with seconds where there are any. */
export function toLocalText(instant: number, zone: string): string {
  return toClockText(
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime(),
  );
}

function toClockText(plain: Temporal.PlainDateTime): string {
  return plain.toString({ smallestUnit: plain.second === 0 ? 'minute' : 'second' }).replace('T', ' ');
}

function wholeSecond(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}

function tooFar(written: string): string {
  return `${written} is too far away; the last possible moment is ${toInstantText(latestInstant)}`;
}

function example({ dateMeans }: MomentOptions): string {
  return dateMeans === 'start'
    ? '2026-12-01, "2026-12-01 09:00" or +2d'
    : '2026-12-31, "2026-12-31 18:00" or +30d';
}

function notUnderstood(written: string, options: MomentOptions): string {
  return `"${written}" is no moment that typebadge understands; write it like ${example(options)}`;
}
