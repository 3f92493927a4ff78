import { type FieldName, fieldNames, fieldOf } from '../../announcements/fields.ts';
import type { Succession } from '../../contract/desk-types.ts';
import { padded, safeText, wrapped } from '../../kit/terminal-text.ts';
import type { Paint } from '../output/paint.ts';
import type { AnnouncementJson } from './announcement-json.ts';
import { type EditorClock, toDatedText } from './moments.ts';

const labelWidth = 13;

/** Whether an editor has it end early, at a moment that is still to come. */
export function isToEnd(
  announcement: AnnouncementJson,
  now: number,
): announcement is AnnouncementJson & { readonly expired: string } {
  // Its state comes from the desk, whose clock may be a second ahead of `now`.
  const { expired, state } = announcement;
  return expired !== null && state !== 'ended' && Date.parse(expired) > now;
}

/** The fields of an announcement, one below the other, long ones wrapped. */
export function describeAnnouncement(
  announcement: AnnouncementJson,
  { zone, now }: { readonly zone: string; readonly now: number },
  paint: Paint,
  columns: number,
): string[] {
  const isEarly = isToEnd(announcement, now);
  const rows = fieldNames.flatMap((name) => {
    const { label, presence, kind, preset = kind === 'flag' ? false : null } = fieldOf(name);
    const isSet = announcement[name] !== preset;
    if (label === undefined || (presence === 'optional' && !isSet)) return [];
    if (isEarly && name === 'expires') return []; // it was to end then, and will not: only the end that counts is shown
    const shown = isEarly && name === 'expired' ? 'Ends' : label;
    return [[shown, toValueText(name, announcement, { zone, now })] as [string, string]];
  });
  rows.push(['Times', `in ${zone}`]);
  return rows.flatMap(([label, value]) => labelled(label, value, paint, columns));
}

function toValueText(name: FieldName, announcement: AnnouncementJson, clock: EditorClock): string {
  const { kind, remark } = fieldOf(name);
  const value = toPlainText(name, announcement[name]);
  if (kind === 'flag') return remark === undefined ? value : `${value}: ${remark}`;
  const text = kind === 'instant' ? toDatedText(value, clock) : safeText(value) || 'none';
  return remark === undefined ? text : `${text}, ${remark}`;
}

/** Any value of a field as text, instants as they are stored. */
export function toPlainText(name: FieldName, value: unknown): string {
  const { kind, toLine } = fieldOf(name);
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  return kind === 'nested' && toLine !== undefined ? toLine(value as object) : String(value);
}

export function labelled(label: string, value: string, paint: Paint, columns: number): string[] {
  const [first = '', ...rest] = wrapped(safeText(value), Math.max(20, columns - labelWidth - 3));
  const indent = ' '.repeat(labelWidth + 2);
  return [`  ${paint.dim(padded(label, labelWidth))}${first}`, ...rest.map((line) => indent + line)];
}

/** Which announcement comes before and after one that is active or scheduled: its own times do not say so. */
export function describeSuccession(
  { state }: AnnouncementJson,
  { supersedes, supersededBy }: Succession,
  clock: EditorClock,
  paint: Paint,
  columns: number,
): string[] {
  const rows: [string, string][] = [];
  if (state === 'scheduled' && supersedes.length > 0) rows.push(['Instead of', supersedes.join(', ')]);
  if (supersededBy !== null)
    rows.push(['Replaced', `by ${supersededBy.id} at ${toDatedText(supersededBy.published, clock)}`]);
  return rows.flatMap(([label, value]) => labelled(label, value, paint, columns));
}
