import type { HistoryFile } from '../../../announcements/announcement.ts';
import { describeChange } from '../../../announcements/change-log.ts';
import { type Undone, undo } from '../../../announcements/history-undo.ts';
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
import { unlessRefused } from '../../desk/port/refused-outcome.ts';
import { allAnnouncements } from '../../display/announcement-json.ts';
import { describeEffect, describeServers, toServerJson } from '../../display/change-report.ts';
import { type DeskPlace, describePlace } from '../../display/desk-place.ts';
import type { Paint } from '../../output/paint.ts';
import { toTerminalText } from '../../output/text-width.ts';
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
  const now = io.now();
  const desk = await openDesk(options, io);
  const { place } = desk;
  const { dryRun = false } = options;
  const { history: before } = await desk.read();
  const editor = await desk.editor();
  const wanted = number === undefined ? undefined : Number(number);
  const planned = unlessRefused(undo(before, wanted, { by: editor, at: now }));
  if (dryRun) return toReport({ ...planned, before, servers: [], now, dryRun, place });

  if (planned.undone.by !== editor) await confirmOthers(planned, options, io);
  // The change that was named, also where another editor was faster.
  const made = await desk.undo(planned.undoneNumber, now);
  const servers = await desk.views(made.undone.history);
  return toReport({ ...made.undone, before: made.before, servers, now, dryRun, place });
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
  readonly dryRun: boolean;
  readonly place: DeskPlace;
}

function toReport(view: UndoView): Report {
  const { history, undone, undoneNumber, number, now, dryRun, servers, place } = view;
  const announcement = allAnnouncements(history, now).find(({ id }) => id === undone.id) ?? null;
  const warnings = warnOfServers(servers);
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
    toText: (paint) => toLines(view, announcement?.state, paint).join('\n'),
  };
}

function toLines(view: UndoView, state: string | undefined, paint: Paint): string[] {
  const { undone, undoneNumber, number, before, history, now, dryRun, servers, place } = view;
  const what = `change ${undoneNumber} (${toTerminalText(undone.by)} ${describeChange({ undoes: null, ...undone })})`;
  const id = paint.bold(undone.id);
  const verb = dryRun ? 'would be' : 'is';
  return [
    dryRun
      ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
      : `${paint.good('✔')} Undid ${what}.`,
    state === undefined ? `${id} ${verb} gone; its id stays taken.` : `${id} ${verb} ${state}.`,
    describePlace(place),
    ...describeEffect(before, history, { now, dryRun }, paint),
    ...describeServers(servers, 'has this change', paint),
    ...(dryRun ? [] : ['', paint.dim(`To take that back: typebadge announce undo ${number}`)]),
  ];
}
