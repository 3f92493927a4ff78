import { describeChange } from '../../../announcements/changes/change-log.ts';
import type { UndoneAnswer } from '../../../contract/desk-types.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { describeEffect, warnOfServers, withLocalTimes } from '../../desk/change-report.ts';
import { commandAt, describeWhere, type EditorOptions, type OpenDesk } from '../../desk/desk-place.ts';
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
  const { dryRun = false } = options;
  const wanted = number === undefined ? undefined : Number(number);
  const undo = (change: number | undefined, isDry: boolean) =>
    desk.undo(change, { dryRun: isDry }).catch((error) => Promise.reject(withLocalTimes(error, zone)));
  const { value: planned } = await undo(wanted, true);
  if (dryRun) return undoReport(desk, planned, { dryRun, zone });

  const { editor } = (await desk.list({ limit: 1 })).value;
  if (planned.by !== editor) await confirmOthers(planned, options, io);
  // The change that was named, also if another editor was faster.
  const { value: undone } = await undo(planned.undone, false);
  return undoReport(desk, undone, { dryRun, zone });
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

interface UndoView {
  readonly dryRun: boolean;
  readonly zone: string;
}

async function undoReport(desk: OpenDesk, undone: UndoneAnswer, view: UndoView): Promise<Report> {
  const { announcement, change, by } = undone;
  const servers = view.dryRun ? [] : await desk.views();
  const warnings = [...undone.warnings, ...warnOfServers(servers)];
  const where = describeWhere(desk.place, servers);
  const again = commandAt(desk.place, 'announce', 'undo', String(change));
  return {
    value: {
      announcement: announcement && announcementJson(announcement),
      change: view.dryRun ? null : change,
      undone: undone.undone,
      by,
      dryRun: view.dryRun,
      warnings,
      content: desk.place.name,
      servers,
    },
    warnings,
    text: (paint, columns) =>
      [
        ...undoneLines(undone, where, view, paint, columns),
        ...describeEffect(undone, view, paint),
        ...(view.dryRun ? [] : ['', paint.dim(`To take that back: ${again}`)]),
      ].join('\n'),
  };
}

/** What was undone, the words as they are again, and whatever else is as it was. */
function undoneLines(
  undone: UndoneAnswer,
  where: string,
  { dryRun, zone }: UndoView,
  paint: Paint,
  columns: number,
): string[] {
  const { announcement, before, by, id } = undone;
  const what = `change ${undone.undone} (${safeText(by)} ${describeChange(undone)})`;
  const verb = dryRun ? 'would be' : 'is';
  const head = dryRun
    ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
    : `${paint.good('✔')} Undid ${what}, ${where}.`;
  if (announcement === null) return [head, `${paint.bold(id)} ${verb} gone; its id stays taken.`];
  const differences = before === null ? [] : fieldDifferences(before, announcement, zone);
  return [
    head,
    `${paint.bold(id)} ${verb} ${announcement.state}.`,
    ...['', ...drawBadge(announcement, paint, columns), ''],
    ...differences,
  ];
}
