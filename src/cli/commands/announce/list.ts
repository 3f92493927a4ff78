import type { AnnouncementState } from '../../../announcements/schedule.ts';
import type { DeskAnnouncement } from '../../../contract/desk-types.ts';
import { fitted, safeText } from '../../../kit/terminal-text.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { announcementJson, endOf, formatMinute, zoneOf } from '../../display/announcement-text.ts';
import { severityWord } from '../../display/badge-drawing.ts';
import { UsageError } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import { paragraphs } from '../../program/report.ts';
import { type DeskCommand, parseLimit } from '../../program/subcommand.ts';

interface ListOptions {
  readonly state?: string;
  readonly limit?: string;
  readonly all?: boolean;
}

const states = ['active', 'scheduled', 'past'] as const;

/** Lists announcements: active, then scheduled (the soonest first), then past (the latest first). */
export const listAnnouncements: DeskCommand<ListOptions> = async (_, options, io) => {
  const { limit, all = false, state: wanted } = options;
  if (all && limit !== undefined) throw new UsageError('give --all or --limit, not both');
  const max = all ? undefined : parseLimit(limit);
  const state = states.find((known) => known === wanted);
  if (state !== wanted) throw new UsageError(`--state takes active, scheduled or past, not "${wanted}"`);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { announcements, current, total } = await desk.listAll({ order: 'reading', state }, max);
  return {
    value: { announcements: announcements.map(announcementJson), current, total },
    text: (paint, columns) => {
      if (total === 0)
        return state === undefined
          ? 'No announcements yet. Publish the first one: typebadge announce publish'
          : `No announcement is ${state}.`;
      const rest = total - announcements.length;
      const dot = current === null ? 'No announcement is current.' : '● is the current announcement.';
      const notes = [
        ...(rest > 0 ? [`${rest} more: --all shows them.`] : []),
        ...(announcements.some(isForSome) ? [`${mark} is for some readers only.`] : []),
        `${dot} Times are in ${zone}.`,
      ];
      return paragraphs(tableLines(announcements, current, zone, paint, columns), notes.map(paint.dim));
    },
  };
};

/** Marks announcements for some readers only. */
const mark = '◇';

function isForSome({ audience }: DeskAnnouncement): boolean {
  return audience !== undefined;
}

/** A narrow terminal has no column for the next moment. */
function tableLines(
  shown: readonly DeskAnnouncement[],
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
function messageCell(announcement: DeskAnnouncement): string {
  const { severity, message } = announcement;
  const word = severityWord(severity);
  const before = isForSome(announcement) ? `${mark} ` : '';
  return `${before}${word === undefined ? '' : `${word} · `}${safeText(message)}`;
}

function nextMoment(announcement: DeskAnnouncement, zone: string): string {
  const { state, published } = announcement;
  return ['active', 'expired', 'ended'].includes(state)
    ? `until ${formatMinute(endOf(announcement), zone)}`
    : `from ${formatMinute(published, zone)}`;
}

function stateBrush(state: AnnouncementState, paint: Paint): (text: string) => string {
  if (state === 'active') return paint.good;
  return state === 'scheduled' ? paint.accent : paint.dim;
}
