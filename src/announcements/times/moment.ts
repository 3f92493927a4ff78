import { Temporal } from 'temporal-polyfill';
import { type DateContext, spellingsOf, toIsoSpelling } from './date-spelling.ts';
import { latestInstant, toInstantText } from './instant.ts';
import { meantSpellings, nearestSpelling } from './meant-spellings.ts';
import { addSpan, parseSpan } from './span.ts';
import { toClockText } from './zone.ts';

export interface MomentOptions extends DateContext {
  /** What a span such as `+30d` counts from, epoch milliseconds. Default: `now`. */
  readonly base?: number;
  /** What a date alone means: the first second of that day, or its last. */
  readonly dateMeans: 'start' | 'end';
  /** What to suggest where nobody can tell what was meant. Default: a date, a date with a time and a span, all to come. */
  readonly examples?: readonly string[];
}

/** Epoch milliseconds, or why it is not a moment, with spellings that would work. */
export type Moment = { readonly instant: number } | Refusal;

interface Refusal {
  /** The whole sentence: why, and what to write instead. */
  readonly problem: string;
  readonly reason: string;
  readonly spellings: readonly string[];
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads a moment as an editor writes it: `now`, `+30d`, `2026-12-31`, `31.12.2026 18:00`, `tomorrow`, `friday 6pm`,
 * `2026-12-31T18:00:00+01:00`. Ambiguous text is refused.
 */
export function parseMoment(text: string, options: MomentOptions): Moment {
  const written = text.trim().replace(/\s+/g, ' ');
  try {
    return readMoment(written, options) ?? notUnderstood(written, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (parseSpan(written) !== undefined) return tooFar(written, options);
    const nearest = nearestSpelling(toIsoSpelling(written, options)) ?? '';
    return toRefusal(`${written} does not exist`, toWorking([nearest], options) ?? examples(options));
  }
}

/** Undefined where it is not understood; throws a `RangeError` where there is no such moment. */
function readMoment(written: string, options: MomentOptions): Moment | undefined {
  const span = parseSpan(written);
  const moment = span === undefined ? readDateOrTime(written, options) : readSpan(span, options);
  return moment === undefined || 'problem' in moment ? moment : checkRange(written, moment.instant, options);
}

function readDateOrTime(written: string, options: MomentOptions): Moment | undefined {
  const { zone, now } = options;
  if (/^now$/i.test(written)) return { instant: wholeSecond(now) };
  const iso = toIsoSpelling(written, options);
  if (datePattern.test(iso)) return { instant: readDate(iso, options) };
  const [, date, time, offset] = timePattern.exec(iso) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const plain = `${date}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}`;
  if (offset !== undefined)
    return { instant: wholeSecond(Temporal.Instant.from(`${plain}${offset}`).epochMilliseconds) };
  const moment = readLocal(Temporal.PlainDateTime.from(plain), zone);
  const isTimeAlone = /^\d{1,2}:/.test(written);
  if (isTimeAlone && 'instant' in moment && moment.instant < wholeSecond(now))
    return toRefusal(`${written} has already passed today`, [`tomorrow ${written}`]);
  return moment;
}

function readSpan(span: Temporal.Duration, { zone, now, base = now }: MomentOptions): Moment {
  return { instant: addSpan(wholeSecond(base), span, zone) };
}

function readDate(iso: string, { zone, dateMeans }: MomentOptions): number {
  const date = Temporal.PlainDate.from(iso);
  if (dateMeans === 'start') return date.toZonedDateTime(zone).epochMilliseconds;
  return date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds - 1000;
}

/** When clocks go forward, an hour does not exist; when they go back, one comes twice. Times in either are refused. */
function readLocal(plain: Temporal.PlainDateTime, zone: string): Moment {
  const earlier = plain.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = plain.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.equals(later)) return { instant: wholeSecond(earlier.epochMilliseconds) };
  const written = toClockText(plain);
  if (!later.toPlainDateTime().equals(plain)) {
    const next = toClockText(later.toPlainDateTime());
    return toRefusal(`${written} does not exist in ${zone}: the clocks go forward then`, [next]);
  }
  return toRefusal(`${written} occurs twice in ${zone}: the clocks go back then`, [
    `${written}${earlier.offset}`,
    `${written}${later.offset}`,
  ]);
}

function checkRange(written: string, instant: number, options: MomentOptions): Moment {
  if (instant > latestInstant) return tooFar(written, options);
  return instant < 0 ? toRefusal(`${written} is before 1970`, examples(options)) : { instant };
}

function tooFar(written: string, options: MomentOptions): Moment {
  const last = toInstantText(latestInstant);
  return toRefusal(`${written} is too far away; the last possible moment is ${last}`, examples(options));
}

function notUnderstood(written: string, options: MomentOptions): Moment {
  if (endless.test(written) && options.dateMeans === 'end')
    return toRefusal('every announcement has an end', ['+10y']);
  const spellings =
    toWorking(spellingsOf(written, options), options) ?? toWorking(meantSpellings(written, options), options);
  if (spellings?.length === 2) return toRefusal(`"${written}" could mean either of two moments`, spellings);
  return toRefusal(`"${written}" is not a recognised time`, spellings ?? examples(options));
}

const endless = /^(?:never|forever|always|infinity|unlimited|permanent|no end)$/i;

/** Those of the spellings that are understood; undefined where there is none. */
function toWorking(spellings: readonly string[], options: MomentOptions): readonly string[] | undefined {
  const working = spellings.filter((spelling) => {
    try {
      const moment = readMoment(spelling, options);
      return moment !== undefined && 'instant' in moment;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
  return working.length === 0 ? undefined : working;
}

function examples({ dateMeans, now, examples: own }: MomentOptions): readonly string[] {
  if (own !== undefined) return own;
  const year = new Date(now).getUTCFullYear() + 1;
  return dateMeans === 'start'
    ? [`${year}-12-01`, `${year}-12-01 09:00`, '+2d']
    : [`${year}-12-31`, `${year}-12-31 18:00`, '+30d'];
}

/** @param reason what was wrong, such as `"soon" is not a recognised time` */
export function toRefusal(reason: string, spellings: readonly string[]): Refusal {
  const quoted = spellings.map((spelling) => (spelling.includes(' ') ? `"${spelling}"` : spelling));
  const [last, ...others] = quoted.toReversed();
  const list = others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
  return { problem: `${reason}; write ${list}`, reason, spellings };
}

function wholeSecond(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}
