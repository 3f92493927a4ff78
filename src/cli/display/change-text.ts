import type { StoredAnnouncement } from '../../announcements/announcement.ts';
import { describeChange, type NumberedChange } from '../../announcements/changes/change-log.ts';
import { type FieldName, fieldNames, fieldOf, presetOf } from '../../announcements/fields.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import { safeText, wrapped } from '../../kit/terminal-text.ts';
import type { Paint } from '../program/paint.ts';
import { formatClock, formatMinute, plainText } from './announcement-text.ts';

/** One change: its number, when, who and what, and below that what it changed. */
export function changeLines(change: NumberedChange, zone: string, paint: Paint, columns: number): string[] {
  const { number, at, by, undoneBy } = change;
  const undone = undoneBy === null ? '' : ` (undone by ${undoneBy})`;
  const room = Math.max(12, columns - 7);
  const head = `${formatMinute(at, zone)} ${safeText(by)} ${describeChange(change)}${undone}`;
  const [first = '', ...rest] = wrapped(head, room);
  const indented = (text: string) => `${' '.repeat(7)}${text}`;
  return [
    `${String(number).padStart(5)}  ${first}`,
    ...rest.map(indented),
    ...differences(change, zone).flatMap((text) =>
      wrapped(text, room).map((line) => paint.dim(indented(line))),
    ),
  ];
}

/** The details of a change, such as `end: 2026-12-31 18:00 → 2027-01-31 18:00`. */
function differences({ action, at, before, after }: NumberedChange, zone: string): string[] {
  if (action === 'publish' && after !== null) return [`“${safeText(after.message)}”`];
  if (before === null || after === null || action === 'withdraw') return [];
  return fieldNames
    .filter((field) => !isSameValue(before[field], after[field]))
    .filter((field) => field !== 'expired' || after.expired !== at)
    .map((field) => {
      const label = fieldOf(field).label?.toLowerCase() ?? field;
      return `${label}: ${fieldText(before, field, zone)} → ${fieldText(after, field, zone)}`;
    });
}

function fieldText(entry: StoredAnnouncement, field: FieldName, zone: string): string {
  const { kind } = fieldOf(field);
  const value = entry[field] ?? presetOf(field);
  if (value === null || value === '') return 'none';
  if (kind === 'instant') return formatClock(String(value), zone);
  const text = safeText(plainText(field, value));
  return field === 'message' ? `“${text}”` : text;
}
