import type { StoredAnnouncement } from '../../announcements/announcement.ts';
import { describeChange, type NumberedChange } from '../../announcements/changes/change-log.ts';
import { type FieldName, fieldNames, fieldOf, presetOf } from '../../announcements/fields.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import { fitted, safeText, wrapped } from '../../kit/terminal-text.ts';
import type { Paint } from '../program/paint.ts';
import { formatClock, formatMinute, plainText } from './announcement-text.ts';

const tableIndent = 5 + 2 + 16 + 2 + 12 + 2;
const leastText = 30;

/** The header over changes; none where the terminal is too narrow for a table. */
export function changeHeader(columns: number): string[] {
  if (columns < tableIndent + leastText) return [];
  return [`${'#'.padStart(5)}  ${'WHEN'.padEnd(16)}  ${'WHO'.padEnd(12)}  WHAT`];
}

/** One change under that header, with what it changed below. */
export function changeLines(change: NumberedChange, zone: string, paint: Paint, columns: number): string[] {
  const isTable = columns >= tableIndent + leastText;
  const indent = isTable ? tableIndent : 7;
  const room = Math.max(12, columns - indent);
  const by = safeText(change.by);
  const head = `${String(change.number).padStart(5)}  ${formatMinute(change.at, zone)}  ${isTable ? `${fitted(by, 12)}  ` : by}`;
  const undone = change.undoneBy === null ? '' : ` (undone by ${change.undoneBy})`;
  const style = change.undoneBy === null ? (text: string) => text : paint.dim;
  const what = wrapped(`${describeChange(change)}${undone}`, room).map(style);
  const details = differences(change, zone).flatMap((text) => wrapped(text, room).map(paint.dim));
  const below = [...what, ...details].map((text) => ' '.repeat(indent) + text);
  return isTable ? [style(head) + (below[0] ?? '').trimStart(), ...below.slice(1)] : [style(head), ...below];
}

/** What a change did, where its name alone does not say it. */
function differences({ action, at, before, after }: NumberedChange, zone: string): string[] {
  if (action === 'publish' && after !== null) return [`“${safeText(after.message)}”`];
  if (before === null || after === null || action === 'withdraw') return [];
  return fieldDifferences(before, after, zone, (field) => !(field === 'expired' && after.expired === at));
}

/** A line for each field that is another, by the name that `show` has for it: `until: 2026-12-31 18:00 → 2027-01-31 18:00`. */
export function fieldDifferences(
  before: StoredAnnouncement,
  after: StoredAnnouncement,
  zone: string,
  isWanted: (field: FieldName) => boolean = () => true,
): string[] {
  return fieldNames
    .filter((field) => isWanted(field) && !isSameValue(before[field], after[field]))
    .map(
      (field) =>
        `${fieldOf(field).label?.toLowerCase() ?? field}: ${fieldText(before, field, zone)} → ${fieldText(after, field, zone)}`,
    );
}

function fieldText(entry: StoredAnnouncement, field: FieldName, zone: string): string {
  const { kind } = fieldOf(field);
  const value = entry[field] ?? presetOf(field);
  if (value === null || value === '') return 'none';
  if (kind === 'instant') return formatClock(String(value), zone);
  const text = safeText(plainText(field, value));
  return field === 'message' ? `“${text}”` : text;
}
