import type { AnnouncementState } from '../../../announcements/schedule.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
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
import type { DeskOptions } from '../../program/subcommand.ts';
import { parseLimit } from '../../program/subcommand.ts';

interface ListOptions extends DeskOptions {
  readonly state?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

const states = ['active', 'scheduled', 'past'] as const;

/** Lists announcements: active, then scheduled (the soonest first), then past (the latest first). */
export async function listAnnouncements(
  _: readonly string[],
  options: ListOptions,
  io: CommandIo,
): Promise<Report> {
  const { limit, all = false, state: wanted } = options;
  if (all && limit !== undefined) throw new UsageError('give --all or --limit, not both');
  const max = all ? undefined : parseLimit(limit);
  const state = states.find((known) => known === wanted);
  if (state !== wanted) throw new UsageError(`--state takes active, scheduled or past, not "${wanted}"`);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { announcements, current, total } = await desk.listAll({ order: 'reading', state }, max);
  const shown = announcements.map(announcementJson);
  return {
    value: { announcements: shown, current, total },
    text: (paint, columns) => {
      if (total === 0)
        return state === undefined
          ? 'No announcements yet. Publish the first one: typebadge announce publish'
          : `No announcement is ${state}.`;
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
  const row = (state: string, id: string, message: string, when: string) => {
    const cells = `${fitted(id, idWidth)}  ${fitted(message, room)}  ${fitted(when, whenWidth)}`.trimEnd();
    return [fitted(state, 12), `  ${cells}`] as const;
  };
  return [
    paint.dim(row('  STATE', 'ID', 'MESSAGE', 'WHEN'.slice(0, whenWidth)).join('')),
    ...shown.map((each) => {
      const dot = each.id === current ? '●' : ' ';
      const when = whenWidth === 0 ? '' : nextMoment(each, zone);
      const [state, cells] = row(`${dot} ${each.state}`, each.id, messageCell(each), when);
      return stateBrush(each.state, paint)(state) + cells;
    }),
  ];
}

/** The message after the word for its severity, as on the badge. */
function messageCell(announcement: AnnouncementJson): string {
  const { severity, message } = announcement;
  const word = severityWord(severity);
  const before = isForSome(announcement) ? `${mark} ` : '';
  return `${before}${word === undefined ? '' : `${word} · `}${safeText(message)}`;
}

function nextMoment(announcement: AnnouncementJson, zone: string): string {
  const { state, published } = announcement;
  return ['active', 'expired', 'ended'].includes(state)
    ? `until ${formatMinute(endOf(announcement), zone)}`
    : `from ${formatMinute(published, zone)}`;
}

function stateBrush(state: AnnouncementState, paint: Paint): (text: string) => string {
  if (state === 'active') return paint.good;
  return state === 'scheduled' ? paint.accent : paint.dim;
}
