import type { AnnouncementState } from '../../../announcements/schedule.ts';
import { instantText } from '../../../announcements/times/instant.ts';
import { addSpan, parseSpan } from '../../../announcements/times/span.ts';
import type { DeskQuery } from '../../../contract/desk-types.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import type { DeskOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import {
  type AnnouncementJson,
  announcementJson,
  endOf,
  formatMinute,
  zoneOf,
} from '../../display/announcement-text.ts';
import { severityWord } from '../../display/badge-drawing.ts';
import { type CommandIo, UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
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
  readonly zone?: string;
}

/** Lists announcements: active, then scheduled (the soonest first), then past (the latest first). */
export async function listAnnouncements(options: ListOptions, io: CommandIo): Promise<Report> {
  const { limit: most, all } = options;
  if (all === true && most !== undefined) throw new UsageError('give --all or --limit, not both');
  const limit = all === true ? undefined : parseLimit(most);
  const zone = zoneOf(options, io);
  const query = readQuery(options, io.now(), zone);
  const desk = await openDesk(options, io);
  const { announcements, current, total } = (await desk.listAll(query, limit)).value;
  const shown = announcements.map(announcementJson);
  const count = total > 0 ? total : (await desk.list({ limit: 1 })).value.total;
  return {
    value: { announcements: shown, current, total },
    text: (paint, columns) => {
      if (count === 0) return 'No announcements yet. Make the first one: typebadge announce publish';
      if (total === 0) return `None of the ${count} announcements matches.`;
      const rest = total - shown.length;
      return [
        ...tableLines(shown, current, zone, paint, columns),
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

/** Marks announcements for some readers only. */
const mark = '◇';

function isForSome({ audience }: AnnouncementJson): boolean {
  return audience !== null;
}

/** A narrow terminal has no column for the next moment. */
function tableLines(
  shown: readonly AnnouncementJson[],
  current: string | null,
  zone: string,
  paint: Paint,
  columns: number,
): string[] {
  const idWidth = Math.min(24, Math.max(8, ...shown.map(({ id }) => id.length)));
  const whenWidth = columns < 70 ? 0 : 22;
  const room = Math.max(10, columns - idWidth - whenWidth - 18);
  const row = (id: string, message: string, when: string) =>
    `  ${fitted(id, idWidth)}  ${fitted(message, room)}  ${fitted(when, whenWidth)}`.trimEnd();
  return [
    paint.dim(`${fitted('  STATE', 12)}${row('ID', 'MESSAGE', 'WHEN'.slice(0, whenWidth))}`),
    ...shown.map((each) => {
      const state = fitted(`${each.id === current ? '●' : ' '} ${each.state}`, 12);
      const when = whenWidth === 0 ? '' : nextMoment(each, zone);
      return stateBrush(each.state, paint)(state) + row(each.id, messageCell(each), when);
    }),
  ];
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
