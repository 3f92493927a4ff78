import { describeChange, type NumberedChange } from '../../announcements/changes/change-log.ts';
import { type FieldName, fieldNames, fieldOf, presetOf } from '../../announcements/fields.ts';
import type { Presentation } from '../../announcements/presentation.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { localText, zoneSpelling } from '../../announcements/times/zone.ts';
import { textOf } from '../../announcements/values/markdown.ts';
import { isSameValue } from '../../announcements/values/object-parts.ts';
import { severityLabel } from '../../announcements/values/severity.ts';
import { linksWithin, type Translations } from '../../announcements/values/translations.ts';
import type { DeskAnnouncement } from '../../contract/desk-types.ts';
import { padded, safeText, widthOf, wrapped } from '../../kit/terminal-text.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import type { Paint } from '../program/report.ts';

/** An announcement as `--json` prints it: every field, with its default or null if it is not set. */
export function announcementJson(announcement: DeskAnnouncement): object {
  const values = fieldNames.map((name) => [name, announcement[name] ?? presetOf(name)]);
  return { ...Object.fromEntries(values), state: announcement.state };
}

/** A text beside its head, and wrapped below itself: so far from the left. */
export function besideHead(head: string, text: string, indent: number, columns: number): string[] {
  const [first = '', ...rest] = wrapped(text, Math.max(12, columns - indent - 1));
  return [head + first, ...rest.map((line) => ' '.repeat(indent) + line)];
}

const labelWidth = 13;

export function describeAnnouncement(
  announcement: DeskAnnouncement,
  { zone, now }: EditorClock,
  paint: Paint,
  columns: number,
): string[] {
  const { state, expired } = announcement;
  // An early end that is still to come. The desk's clock may be a second ahead of `now`.
  const isEarly = expired !== undefined && state !== 'ended' && Date.parse(expired) > now;
  const dated = (instant: string) =>
    `${formatClock(instant, zone)}  (${formatRelative(Date.parse(instant), now)})`;
  const rows = fieldNames.flatMap((name) => {
    const { label, presence, kind, remark } = fieldOf(name);
    const value = announcement[name] ?? presetOf(name);
    if (label === undefined || (presence === 'optional' && value === presetOf(name))) return [];
    const links = name === 'link' ? linksWithin(announcement) : [];
    if (links.length > 0)
      return [value, ...links]
        .filter(Boolean)
        .map((link) => [link === value ? label : 'In the text', String(link)] as const);
    if (isEarly && name === 'expires') return []; // only the early end counts
    const text = fieldText(name, value, dated);
    const more = remark === undefined ? '' : `${kind === 'flag' ? ':' : ','} ${remark}`;
    return [[isEarly && name === 'expired' ? 'Ends' : label, text + more] as const];
  });
  return [...rows, ['Times', `in ${zone}`] as const].flatMap(([label, text]) =>
    besideHead(`  ${paint.dim(padded(label, labelWidth))}`, safeText(text), labelWidth + 2, columns),
  );
}

function fieldText(name: FieldName, value: unknown, instantOf: (instant: string) => string): string {
  const { kind, describe } = fieldOf(name);
  if (value == null || value === '') return 'none';
  if (kind === 'flag') return value === true ? 'yes' : 'no';
  if (kind === 'instant') return instantOf(String(value));
  return safeText(kind === 'nested' && describe !== undefined ? describe(value as object) : String(value));
}

/** One change: its number, when, who and what, and below that what it changed. */
export function changeLines(change: NumberedChange, zone: string, paint: Paint, columns: number): string[] {
  const { number, at, by, undoneBy } = change;
  const undone = undoneBy === null ? '' : ` (undone by ${undoneBy})`;
  const text = `${formatMinute(at, zone)} ${safeText(by)} ${describeChange(change)}${undone}`;
  const details = differences(change, zone).flatMap((line) =>
    besideHead(' '.repeat(7), line, 7, columns).map(paint.dim),
  );
  return [...besideHead(`${String(number).padStart(5)}  `, text, 7, columns), ...details];
}

/** The details of a change, such as `end: 2026-12-31 18:00 → 2027-01-31 18:00`. */
function differences({ action, at, before, after }: NumberedChange, zone: string): string[] {
  if (action === 'publish' && after !== null) return [`“${safeText(after.message)}”`];
  if (before === null || after === null || action === 'withdraw') return [];
  return fieldNames
    .filter((field) => !isSameValue(before[field], after[field]))
    .filter((field) => field !== 'expired' || after.expired !== at)
    .map((field) => {
      const [old, given] = [before, after].map((entry) => {
        const text = fieldText(field, entry[field] ?? presetOf(field), (time) => formatClock(time, zone));
        return field === 'message' ? `“${text}”` : text;
      });
      return `${fieldOf(field).label?.toLowerCase() ?? field}: ${old} → ${given}`;
    });
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
  // Clocks of editor and server may differ: what is active already does not start in a moment.
  if (size < 45_000) return distance >= 10_000 ? 'in a moment' : 'just now';
  if (size < 90 * minute) return relative.format(Math.round(distance / minute), 'minute');
  if (size < 36 * hour) return relative.format(Math.round(distance / hour), 'hour');
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

/** Within a sentence, from epoch milliseconds: `2026-12-31 18:00:00 in Europe/Berlin (in 30 days)`. */
export function formatMoment(instant: number, { zone, now }: EditorClock): string {
  return `${formatClock(instantText(instant), zone)} in ${zone} (${formatRelative(instant, now)})`;
}

/** The zone that `--zone` names, else that of the computer or of `TZ`. */
export function zoneOf({ zone }: { readonly zone?: string | undefined }, { env }: CommandIo): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // Node knows none if TZ names one that does not exist.
  const own = timeZone === undefined || timeZone === 'Etc/Unknown' ? env.TZ : timeZone;
  const name = zone ?? own ?? '';
  const found = zoneSpelling(name);
  if (found !== undefined) return found;
  throw new UsageError(`there is no time zone "${name}": give --zone or TZ one like Europe/Berlin, or UTC`);
}

/** The badge's text column in a browser, measured in characters of ordinary width. */
const badgeText = 44;
const logo = '◆';

/** The visible part of an announcement. Null or missing: the default; for `severityLabel`, in English. */
type DrawnAnnouncement = Pick<Presentation, 'message' | 'link'> & {
  readonly [N in keyof Presentation]?: Presentation[N] | null;
};

/**
 * The badge as a visitor sees it: logo, the word of its severity, words (underlined where they lead
 * somewhere) and the buttons that it has, in lines.
 */
export function drawBadge(drawn: DrawnAnnouncement, paint: Paint, columns: number): string[] {
  const { link } = drawn;
  const room = Math.max(4, Math.min(badgeText, columns - 12));
  const buttons = drawn.dismissible === false ? '−' : '− ×';
  const word = drawn.severityLabel ?? severityLabel(drawn.severity ?? undefined);
  // A link with a label is below the message here, beside it in a browser.
  const label = link === '' ? '' : (drawn.linkLabel ?? '');
  const isLink = link !== '' && label === '';
  const words = wrapped(safeText(`${word === undefined ? '' : `${word} · `}${textOf(drawn)}`), room);
  const lines = [
    ...words.map((text) => [text, isLink ? paint.link(text) : text] as const),
    ...(label === '' ? [] : wrapped(safeText(label), room).map((text) => [text, paint.link(text)] as const)),
  ];
  const width = Math.max(...lines.map(([text]) => widthOf(text)), 8);
  const body = lines.map(([text, styled], at) => {
    const left = at === 0 ? paint.accent(logo) : ' ';
    const right = at === 0 ? paint.dim(buttons) : ' '.repeat(widthOf(buttons));
    return `│ ${left}  ${styled}${padded('', width - widthOf(text))}  ${right} │`;
  });
  const edge = '─'.repeat(width + widthOf(buttons) + 7);
  return [`╭${edge}╮`, ...body, `╰${edge}╯`];
}

/** What a click does, in words, because a drawing cannot be clicked. */
export function describeLink(drawn: DrawnAnnouncement & { readonly translations?: Translations }): string {
  const opens = drawn.link === '' ? [] : [`A click opens ${drawn.link}`];
  const within = linksWithin(drawn).map((link) => `Link: ${link}`);
  return [...opens, ...within].map(safeText).join('\n') || 'It has no link: a click does nothing.';
}
