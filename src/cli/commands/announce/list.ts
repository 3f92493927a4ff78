import { type FieldName, fieldNames } from '../../../announcements/fields.ts';
import type { AnnouncementState } from '../../../announcements/schedule.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { addSpan, parseSpan } from '../../../announcements/times/span.ts';
import type { DeskQuery } from '../../../contract/desk-types.ts';
import { fitted, safeText, widthOf } from '../../../kit/terminal-text.ts';
import type { DeskOptions, OpeningOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import {
  type AnnouncementJson,
  announcementJson,
  endOf,
  formatMinute,
  plainText,
  zoneOf,
} from '../../display/announcement-text.ts';
import { severityWord } from '../../display/badge-drawing.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import { csvField } from '../../program/quoted-words.ts';
import type { Report } from '../../program/report.ts';
import { parseLimit } from '../../program/subcommand.ts';

export interface ListOptions extends DeskOptions {
  /** `active`, `scheduled` or `past`. */
  readonly state?: string;
  /** Words that each one has to have somewhere, in any case. */
  readonly search?: string;
  /** A span: active ones that end within it. */
  readonly ending?: string;
  readonly limit?: string;
  readonly all?: true;
  readonly csv?: true;
  readonly zone?: string;
}

/** What there is, or is wanted: active, then scheduled, the soonest first, then past, the latest first. */
export async function listAnnouncements(
  options: ListOptions,
  io: CommandIo,
  opening: OpeningOptions = {},
): Promise<Report> {
  const { limit: most, all, csv, json } = options;
  if (all === true && most !== undefined) throw new UsageError('give --all or --limit, not both');
  if (csv === true && json === true) throw new UsageError('give --csv or --json, not both');
  const limit = all === true || (csv === true && most === undefined) ? undefined : parseLimit(most);
  const zone = zoneOf(options, io);
  const query = readQuery(options, io.now(), zone);
  const desk = await openDesk(options, io, opening);
  const { announcements, current, total } = (await desk.listAll(query, limit)).value;
  const shown = announcements.map(announcementJson);
  const count = total > 0 ? total : (await desk.list({ limit: 1 })).value.total;
  return {
    value: { announcements: shown, current, total },
    text: (paint, columns) => {
      if (csv === true) return csvTable(shown);
      if (count === 0) return 'No announcements yet. Make the first one: typebadge announce publish';
      if (total === 0) return `None of the ${count} announcements matches.`;
      const rest = total - shown.length;
      return [
        ...tableLines({ shown, current, zone }, paint, columns),
        '',
        ...(rest > 0 ? [paint.dim(`${rest} more: --all shows them.`)] : []),
        ...(shown.some(isForSome) ? [paint.dim(`${mark} is for some readers only.`)] : []),
        paint.dim(
          current === null
            ? `No announcement is current. Times are in ${zone}.`
            : `● is the current announcement. Times are in ${zone}.`,
        ),
      ].join('\n');
    },
  };
}

const states = ['active', 'scheduled', 'past'] as const;

/** What is asked for. A span counts days of that zone's calendar from now, epoch milliseconds. */
function readQuery({ state, search, ending }: ListOptions, now: number, zone: string): DeskQuery {
  const wanted = states.find((known) => known === state);
  if (state !== undefined && wanted === undefined)
    throw new UsageError(`--state takes ${states.slice(0, -1).join(', ')} or past, not "${state}"`);
  const span = ending === undefined ? undefined : parseSpan(ending.trim());
  if (ending !== undefined && span === undefined)
    throw new UsageError(`--ending takes a span such as 7d or 12h, not "${ending}"`);
  return {
    order: 'reading',
    ...(wanted === undefined ? {} : { state: wanted }),
    ...(search === undefined ? {} : { search }),
    ...(span === undefined ? {} : { ending: instantText(addSpan(now, span, zone)) }),
  };
}

/** One line per announcement, for a spreadsheet: its state, and every field as text. Instants are in UTC. */
function csvTable(announcements: readonly AnnouncementJson[]): string {
  const textOf = (announcement: AnnouncementJson, name: FieldName) => {
    const value = announcement[name];
    return value === null ? '' : plainText(name, value);
  };
  const rows = announcements.map((each) => [each.state, ...fieldNames.map((name) => textOf(each, name))]);
  return [['state', ...fieldNames], ...rows].map((row) => row.map(csvField).join(',')).join('\n');
}

/** From so many columns on, links are shown. */
const wideFrom = 120;
/** Before what not everybody sees. */
const mark = '◇';

function isForSome({ audience }: AnnouncementJson): boolean {
  return audience !== null;
}

interface Column {
  readonly title: string;
  readonly width: number;
  readonly cellOf: (announcement: AnnouncementJson) => string;
}

interface ListView {
  readonly shown: readonly AnnouncementJson[];
  /** Id of the current announcement. */
  readonly current: string | null;
  readonly zone: string;
}

function tableLines(view: ListView, paint: Paint, columns: number): string[] {
  const { shown } = view;
  const table = tableColumns(view, columns);
  const header = table.map(({ title, width }) => fitted(title, width)).join('  ');
  const rows = shown.map((announcement) => {
    const [first = '', ...cells] = table.map(({ width, cellOf }) => fitted(cellOf(announcement), width));
    return [stateBrush(announcement.state, paint)(first), ...cells].join('  ').trimEnd();
  });
  return [paint.dim(header.trimEnd()), ...rows];
}

/** A narrow terminal leaves out the moment that matters next; a wide one has room for the link. */
function tableColumns({ shown, current, zone }: ListView, columns: number): Column[] {
  const idWidth = Math.min(24, Math.max(8, ...shown.map(({ id }) => id.length)));
  const state: Column = {
    title: '  STATE',
    width: 12,
    cellOf: (a) => `${a.id === current ? '●' : ' '} ${a.state}`,
  };
  const id: Column = { title: 'ID', width: idWidth, cellOf: (a) => a.id };
  const when: Column = { title: 'WHEN', width: 22, cellOf: (a) => nextMoment(a, zone) };
  const hasWhen = columns >= 70;
  const room = Math.max(12, columns - 12 - idWidth - 4 - (hasWhen ? when.width + 2 : 0));
  const longest = Math.max(7, ...shown.map((a) => widthOf(messageCell(a))));
  const width = columns < wideFrom ? room : Math.min(longest, Math.floor(room * 0.6));
  const message: Column = { title: 'MESSAGE', width, cellOf: messageCell };
  const link: Column = { title: 'LINK', width: room - width - 2, cellOf: (a) => safeText(a.link) };
  return [state, id, message, ...(hasWhen ? [when] : []), ...(columns < wideFrom ? [] : [link])];
}

/** The words after that of their severity, as on the badge. */
function messageCell(announcement: AnnouncementJson): string {
  const { severity, message } = announcement;
  const word = severityWord(severity);
  const before = isForSome(announcement) ? `${mark} ` : '';
  return `${before}${word === undefined ? '' : `${word} · `}${safeText(message)}`;
}

function nextMoment(announcement: AnnouncementJson, zone: string): string {
  const { state, published } = announcement;
  const isOver = state === 'expired' || state === 'ended';
  return state === 'active' || isOver
    ? `until ${formatMinute(endOf(announcement), zone)}`
    : `from ${formatMinute(published, zone)}`;
}

function stateBrush(state: AnnouncementState, paint: Paint): (text: string) => string {
  if (state === 'active') return paint.good;
  return state === 'scheduled' ? paint.accent : paint.dim;
}
