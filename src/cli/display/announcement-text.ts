import type { StoredAnnouncement } from '../../announcements/announcement.ts';
import { type FieldName, fieldNames, fieldOf, presetOf } from '../../announcements/fields.ts';
import type { AnnouncementState } from '../../announcements/schedule.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { localText, zoneSpelling } from '../../announcements/times/zone.ts';
import type { DeskAnnouncement } from '../../contract/desk-types.ts';
import { padded, safeText, wrapped } from '../../kit/terminal-text.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import type { Paint } from '../program/paint.ts';

/** An announcement as `--json` prints it: every field, with its default or null if it is not set. */
export type AnnouncementJson = {
  readonly [N in FieldName]: N extends 'alongside' | 'dismissible' ? boolean : Stored<N>;
} & { readonly state: AnnouncementState };

type Stored<N extends FieldName> = undefined extends StoredAnnouncement[N]
  ? Exclude<StoredAnnouncement[N], undefined> | null
  : StoredAnnouncement[N];

export function announcementJson(announcement: DeskAnnouncement): AnnouncementJson {
  const values = fieldNames.map((name) => [name, announcement[name] ?? presetOf(name)]);
  return { ...Object.fromEntries(values), state: announcement.state };
}

/** The instant (text) at which it ends or ended. */
export function endOf({ expires, expired, withdrawn }: AnnouncementJson): string {
  return withdrawn ?? (expired !== null && expired < expires ? expired : expires);
}

const labelWidth = 13;

/** Whether an editor has set an early end that is still to come. */
function hasEarlyEnd(
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
  const isEarly = hasEarlyEnd(announcement, now);
  const rows = fieldNames.flatMap((name) => {
    const { label, presence } = fieldOf(name);
    const isSet = announcement[name] !== presetOf(name);
    if (label === undefined || (presence === 'optional' && !isSet)) return [];
    if (isEarly && name === 'expires') return []; // only the early end counts
    const shown = isEarly && name === 'expired' ? 'Ends' : label;
    return [[shown, valueText(name, announcement, { zone, now })] as [string, string]];
  });
  rows.push(['Times', `in ${zone}`]);
  return rows.flatMap(([label, value]) => labelled(label, value, paint, columns));
}

function valueText(name: FieldName, announcement: AnnouncementJson, clock: EditorClock): string {
  const { kind, remark } = fieldOf(name);
  const value = plainText(name, announcement[name]);
  if (kind === 'flag') return remark === undefined ? value : `${value}: ${remark}`;
  const text = kind === 'instant' ? formatDated(value, clock) : safeText(value) || 'none';
  return remark === undefined ? text : `${text}, ${remark}`;
}

/** Any value of a field as text, instants as they are stored. */
export function plainText(name: FieldName, value: unknown): string {
  const { kind, describe } = fieldOf(name);
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  return kind === 'nested' && describe !== undefined ? describe(value as object) : String(value);
}

function labelled(label: string, value: string, paint: Paint, columns: number): string[] {
  const [first = '', ...rest] = wrapped(safeText(value), Math.max(20, columns - labelWidth - 3));
  const indent = ' '.repeat(labelWidth + 2);
  return [`  ${paint.dim(padded(label, labelWidth))}${first}`, ...rest.map((line) => indent + line)];
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The reader's time zone and current time (epoch milliseconds). */
export interface EditorClock {
  readonly zone: string;
  readonly now: number;
}

/** `in 30 days`, `2 hours ago`: in the unit that fits best. Both in epoch milliseconds. */
export function formatRelative(instant: number, now: number): string {
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
export function formatClock(instant: string, zone: string): string {
  return localText(Date.parse(instant), zone);
}

/** The same to the minute: for tables. */
export function formatMinute(instant: string, zone: string): string {
  return formatClock(instant, zone).slice(0, 16);
}

/** The same, and how far away it is: `2026-12-31 18:00:00  (in 30 days)`. */
function formatDated(instant: string, { zone, now }: EditorClock): string {
  return `${formatClock(instant, zone)}  (${formatRelative(Date.parse(instant), now)})`;
}

/** Within a sentence, from epoch milliseconds: `2026-12-31 18:00:00 in Europe/Berlin (in 30 days)`. */
export function formatMoment(instant: number, { zone, now }: EditorClock): string {
  return `${formatClock(instantText(instant), zone)} in ${zone} (${formatRelative(instant, now)})`;
}

/** The name of the computer’s time zone (or of `TZ`); undefined if there is none. */
function readLocalZone(): string | undefined {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === 'Etc/Unknown' ? undefined : zoneSpelling(zone);
}

/** The zone that `--zone` names, else that of the computer. */
export function zoneOf({ zone }: { readonly zone?: string | undefined }, io: CommandIo): string {
  const found = zone ?? readLocalZone();
  if (found === undefined) {
    throw new UsageError(
      `TZ names a time zone that does not exist (${io.env.TZ}); write one like Europe/Berlin, or UTC`,
    );
  }
  const spelling = zoneSpelling(found);
  if (spelling !== undefined) return spelling;
  throw new UsageError(`there is no time zone "${found}"; write one like Europe/Berlin, or UTC`);
}
