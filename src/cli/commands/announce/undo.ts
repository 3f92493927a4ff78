import { describeChange } from '../../../announcements/changes/change-log.ts';
import type { UndoneAnswer } from '../../../contract/desk-types.ts';
import { safeText, wrapped } from '../../../kit/terminal-text.ts';
import {
  describeEffect,
  describeServers,
  serverJson,
  warnOfServers,
  withLocalTimes,
} from '../../desk/change-report.ts';
import {
  commandAt,
  type DeskPlace,
  describePlace,
  describeWhere,
  type EditorOptions,
} from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { announcementJson, zoneOf } from '../../display/announcement-text.ts';
import { drawBadge } from '../../display/badge-drawing.ts';
import { fieldDifferences } from '../../display/change-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import { askYesNo } from '../../program/questions.ts';
import type { Report } from '../../program/report.ts';
import type { ServerView } from '../../servers/running-servers.ts';

export interface UndoOptions extends EditorOptions {
  /** Undoes the change of somebody else without a question. */
  readonly yes?: boolean;
}

/** Takes back the last change that is not undone yet, or the change with that number. */
export async function undoChange(
  number: string | undefined,
  options: UndoOptions,
  io: CommandIo,
): Promise<Report> {
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
    throw new UsageError(`"${number}" is not a change number; typebadge announce log shows them`);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { place } = desk;
  const { dryRun = false } = options;
  const wanted = number === undefined ? undefined : Number(number);
  const undo = (change: number | undefined, isDry: boolean) =>
    desk.undo(change, { dryRun: isDry }).catch((error) => Promise.reject(withLocalTimes(error, zone)));
  const { value: planned } = await undo(wanted, true);
  if (dryRun) return undoReport({ ...planned, servers: [], zone, dryRun, place });

  const { editor } = (await desk.list({ limit: 1 })).value;
  if (planned.by !== editor) await confirmOthers(planned, options, io);
  // The change that was named, also if another editor was faster.
  const { value: undone } = await undo(planned.undone, false);
  return undoReport({ ...undone, servers: await desk.views(), zone, dryRun, place });
}

async function confirmOthers(
  planned: UndoneAnswer,
  { yes, json }: UndoOptions,
  io: CommandIo,
): Promise<void> {
  if (yes) return;
  const what = `Change ${planned.undone} was made by ${safeText(planned.by)}`;
  if (json || !isInteractive(io)) throw new RefusedError(`${what}; to undo it, add --yes`);
  const isSure = await askYesNo(`${what}: ${describeChange(planned)}. Undo it?`, io);
  if (!isSure) throw new DeclinedError('nothing was changed');
}

interface UndoView extends UndoneAnswer {
  readonly servers: readonly ServerView[];
  readonly zone: string;
  readonly dryRun: boolean;
  readonly place: DeskPlace;
}

function undoReport(view: UndoView): Report {
  const { announcement, change, undone, by, dryRun, servers, place } = view;
  const warnings = [...view.warnings, ...warnOfServers(servers)];
  return {
    value: {
      announcement: announcement && announcementJson(announcement),
      change: dryRun ? null : change,
      undone,
      by,
      dryRun,
      warnings,
      content: place.name,
      servers: servers.map(serverJson),
    },
    warnings,
    text: (paint, columns) => undoLines(view, paint, columns).join('\n'),
  };
}

function undoLines(view: UndoView, paint: Paint, columns: number): string[] {
  const { announcement, change, undone, by, dryRun, servers, place } = view;
  const what = `change ${undone} (${safeText(by)} ${describeChange(view)})`;
  const id = paint.bold(view.id);
  const verb = dryRun ? 'would be' : 'is';
  return [
    dryRun
      ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
      : `${paint.good('✔')} Undid ${what}, ${describeWhere(place, servers)}.`,
    announcement === null
      ? `${id} ${verb} gone; its id stays taken.`
      : `${id} ${verb} ${announcement.state}.`,
    ...restoredLines(view, paint, columns),
    describePlace(place),
    ...describeEffect(view, view, paint),
    ...describeServers(servers, 'has this change', paint),
    ...(dryRun
      ? []
      : ['', paint.dim(`To take that back: ${commandAt(place, 'announce', 'undo', String(change))}`)]),
  ];
}

/** The words as they are again, and whatever else is as it was. */
function restoredLines({ announcement, before, zone }: UndoView, paint: Paint, columns: number): string[] {
  if (announcement === null) return [];
  const isSeen = announcement.state === 'active' || announcement.state === 'scheduled';
  const differences = before === null ? [] : fieldDifferences(before, announcement, zone);
  const drawing = isSeen
    ? ['', ...drawBadge(announcement, paint, columns)]
    : [`“${safeText(announcement.message)}”`];
  return [...drawing, '', ...differences.flatMap((text) => wrapped(text, columns))];
}
