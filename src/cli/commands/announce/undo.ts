import type { HistoryFile } from '../../../announcements/announcement.ts';
import { describeChange } from '../../../announcements/changes/change-log.ts';
import { type Undone, undo } from '../../../announcements/changes/history-undo.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
import { unlessRefused } from '../../desk/port/refused-outcome.ts';
import { type AnnouncementJson, allAnnouncements } from '../../display/announcement-json.ts';
import { drawBadge } from '../../display/badge-drawing.ts';
import { toDifferences } from '../../display/change-lines.ts';
import { describeEffect, describeServers, toServerJson } from '../../display/change-report.ts';
import { type DeskPlace, describePlace, toCommand, warnOfPlace } from '../../display/desk-place.ts';
import type { Paint } from '../../output/paint.ts';
import { toTerminalText, wrap } from '../../output/text-width.ts';
import { DeclinedError, RefusedError, UsageError } from '../../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../../program/command-io.ts';
import { askYesNo } from '../../program/question.ts';
import type { Report } from '../../program/report.ts';
import { type ServerView, warnOfServers } from '../../servers/server-check.ts';

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
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number)) {
    throw new UsageError(`"${number}" is not a change number; typebadge announce log shows them`);
  }
  const zone = zoneOf(options, io);
  const now = io.now();
  const desk = await openDesk(options, io);
  const { place } = desk;
  const { dryRun = false } = options;
  const { history: before } = await desk.read();
  const editor = await desk.editor();
  const wanted = number === undefined ? undefined : Number(number);
  const planned = unlessRefused(undo(before, wanted, { by: editor, at: now }));
  if (dryRun) return toReport({ ...planned, before, servers: [], now, zone, dryRun, place });

  if (planned.undone.by !== editor) await confirmOthers(planned, options, io);
  // The change that was named, also where another editor was faster.
  const made = await desk.undo(planned.undoneNumber, now);
  const servers = await desk.views(made.undone.history);
  return toReport({ ...made.undone, before: made.before, servers, now, zone, dryRun, place });
}

async function confirmOthers(planned: Undone, { yes, json }: UndoOptions, io: CommandIo): Promise<void> {
  if (yes) return;
  const what = `Change ${planned.undoneNumber} was made by ${toTerminalText(planned.undone.by)}`;
  if (json || !isInteractive(io)) throw new RefusedError(`${what}; to undo it, add --yes`);
  const isSure = await askYesNo(
    `${what}: ${describeChange({ undoes: null, ...planned.undone })}. Undo it?`,
    io,
  );
  if (!isSure) throw new DeclinedError('nothing was changed');
}

interface UndoView extends Undone {
  readonly before: HistoryFile;
  readonly servers: readonly ServerView[];
  readonly now: number;
  readonly zone: string;
  readonly dryRun: boolean;
  readonly place: DeskPlace;
}

function toReport(view: UndoView): Report {
  const { history, undone, undoneNumber, number, now, dryRun, servers, place } = view;
  const announcement = allAnnouncements(history, now).find(({ id }) => id === undone.id) ?? null;
  const warnings = [...warnOfPlace(place), ...warnOfServers(servers)];
  return {
    value: {
      announcement,
      change: dryRun ? null : number,
      undone: undoneNumber,
      by: undone.by,
      dryRun,
      warnings,
      content: place.name,
      servers: servers.map(toServerJson),
    },
    warnings,
    toText: (paint, columns) => toLines(view, announcement, paint, columns).join('\n'),
  };
}

function toLines(
  view: UndoView,
  announcement: AnnouncementJson | null,
  paint: Paint,
  columns: number,
): string[] {
  const { undone, undoneNumber, number, before, history, now, dryRun, servers, place } = view;
  const what = `change ${undoneNumber} (${toTerminalText(undone.by)} ${describeChange({ undoes: null, ...undone })})`;
  const id = paint.bold(undone.id);
  const verb = dryRun ? 'would be' : 'is';
  return [
    dryRun
      ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
      : `${paint.good('✔')} Undid ${what}.`,
    announcement === null
      ? `${id} ${verb} gone; its id stays taken.`
      : `${id} ${verb} ${announcement.state}.`,
    ...toRestoredLines(view, announcement, paint, columns),
    describePlace(place),
    ...describeEffect(before, history, { now, dryRun }, paint),
    ...describeServers(servers, 'has this change', paint),
    ...(dryRun
      ? []
      : ['', paint.dim(`To take that back: ${toCommand(place, 'announce', 'undo', String(number))}`)]),
  ];
}

/** The words as they are again, and whatever else is as it was. */
function toRestoredLines(
  { before, undone, entry, zone }: UndoView,
  announcement: AnnouncementJson | null,
  paint: Paint,
  columns: number,
): string[] {
  if (entry === null || announcement === null) return [];
  const isSeen = announcement.state === 'active' || announcement.state === 'scheduled';
  const present = before.announcements.find(({ id }) => id === undone.id);
  const differences = present === undefined ? [] : toDifferences(present, entry, zone);
  return [
    ...(isSeen ? ['', ...drawBadge(announcement, paint, columns)] : [`“${toTerminalText(entry.message)}”`]),
    '',
    ...differences.flatMap((text) => wrap(text, columns)),
  ];
}
