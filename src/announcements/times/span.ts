import { Temporal } from 'temporal-polyfill';

const names = {
  years: /^y(?:ears?)?$/,
  months: /^mo(?:nths?)?$/,
  weeks: /^w(?:eeks?)?$/,
  days: /^d(?:ays?)?$/,
  hours: /^h(?:ours?)?$/,
  minutes: /^m(?:in(?:ute)?s?)?$/,
  seconds: /^s(?:ec(?:ond)?s?)?$/,
} as const;
type Unit = keyof typeof names;

const amount = /(\d{1,7}) ?([a-z]+)/y;

/** Reads `+30d`, `+1d12h`, `90s`, `+1mo` or `in 30 days`; undefined if it is not a span. */
export function parseSpan(text: string): Temporal.Duration | undefined {
  const [, amounts] = /^(?:\+|in )?(\d.*)$/.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const span: Partial<Record<Unit, number>> = {};
  let position = 0;
  while (position < amounts.length) {
    amount.lastIndex = position;
    const [piece, count, word = ''] = amount.exec(amounts) ?? [];
    const unit = unitOf(word);
    if (piece === undefined || unit === undefined) return undefined;
    span[unit] = (span[unit] ?? 0) + Number(count);
    position += piece.length;
    if (amounts[position] === ' ') position += 1;
  }
  return Temporal.Duration.from(span);
}

function unitOf(word: string): Unit | undefined {
  return (Object.keys(names) as Unit[]).find((unit) => names[unit].test(word));
}

/**
 * The instant a span after another one (both epoch milliseconds). Days and longer units are those of the
 * calendar: the time of day stays the same across DST changes, and a month after 31 January is the last day
 * of February.
 */
export function addSpan(base: number, span: Temporal.Duration, zone: string): number {
  const start = Temporal.Instant.fromEpochMilliseconds(base).toZonedDateTimeISO(zone);
  return start.add(span).epochMilliseconds;
}
