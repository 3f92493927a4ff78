import { parseInstant, toInstantText } from '../../announcements/times/instant.ts';
import { toLocalText } from '../../announcements/times/zone.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The time zone and the time (epoch milliseconds) of who reads. */
export interface EditorClock {
  readonly zone: string;
  readonly now: number;
}

/** `in 30 days`, `2 hours ago`: in the unit that says it best. Both in epoch milliseconds. */
export function toRelativeText(instant: number, now: number): string {
  const distance = instant - now;
  const size = Math.abs(distance);
  // Stored times are whole seconds.
  if (size < 45_000) return distance >= 1_000 ? 'in a moment' : 'just now';
  if (size < 90 * minute) return relative.format(Math.round(distance / minute), 'minute');
  if (size < 2 * day) return relative.format(Math.round(distance / hour), 'hour');
  if (size < 60 * day) return relative.format(Math.round(distance / day), 'day');
  if (size < 730 * day) return relative.format(Math.round(distance / (30.44 * day)), 'month');
  return relative.format(Math.round(distance / (365.25 * day)), 'year');
}

/** A stored instant as the editor's clock shows it, `2026-12-31 18:00`. */
export function toClockText(instant: string, zone: string): string {
  return toLocalText(Date.parse(instant), zone);
}

/** The same to the minute: for tables. */
export function toShortText(instant: string, zone: string): string {
  return toClockText(instant, zone).slice(0, 16);
}

/** The same, and how far away it is: `2026-12-31 18:00:00  (in 30 days)`. */
export function toDatedText(instant: string, { zone, now }: EditorClock): string {
  return `${toClockText(instant, zone)}  (${toRelativeText(Date.parse(instant), now)})`;
}

/** Within a sentence, from epoch milliseconds: `2026-12-31 18:00:00 in Europe/Berlin (in 30 days)`. */
export function toMomentText(instant: number, { zone, now }: EditorClock): string {
  return `${toClockText(toInstantText(instant), zone)} in ${zone} (${toRelativeText(instant, now)})`;
}

/** A sentence of the rules, which name instants in UTC, with times as the editor's clock shows them: `2026-12-31 18:00 (Europe/Berlin)`. */
export function toLocalTimes(sentence: string, zone: string): string {
  return sentence.replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, (text) => {
    const instant = parseInstant(text);
    return instant === undefined ? text : `${toLocalText(instant, zone)} (${zone})`;
  });
}
