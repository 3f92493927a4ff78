import type { HistoryFile } from '../../../announcements/announcement.ts';
import { describeChange } from '../../../announcements/change-log.ts';
import { type Undone, undo } from '../../../announcements/history-undo.ts';
import { dataFolderOf, type EditorOptions, newStamp, openContent } from '../../desk/content-access.ts';
import { allAnnouncements } from '../../display/announcement-json.ts';
import { describeEffect, describeServers, toServerJson } from '../../display/change-report.ts';
import type { Paint } from '../../output/paint.ts';
import { toTerminalText } from '../../output/text-width.ts';
import { DeclinedError, RefusedError, UsageError } from '../../program/command-errors.ts';
import { type CommandIo, isInteractive } from '../../program/command-io.ts';
import { askYesNo } from '../../program/question.ts';
import type { Report } from '../../program/report.ts';
import { checkServers, type ServerView, warnOfServers } from '../../servers/server-check.ts';

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
  const stamp = newStamp(options, io);
  const store = await openContent(options, io);
  const { dryRun = false } = options;
  let before = await store.readHistory();
  const planned = take(undo(before, number === undefined ? undefined : Number(number), stamp));
  if (dryRun)
    return toReport({ ...planned, before, servers: [], now: stamp.at, dryRun, content: store.content.name });

  if (planned.undone.by !== stamp.by) await confirmOthers(planned, options, io);
  // The change that was named, also where another editor was faster.
  const made = take(
    await store.updateHistory((history) => {
      before = history;
      return undo(history, planned.undoneNumber, stamp);
    }),
  );
  const servers = await checkServers(store.content, dataFolderOf(io), made.history, io);
  return toReport({ ...made, before, servers, now: stamp.at, dryRun, content: store.content.name });
}

function take(outcome: Undone | { readonly problem: string }): Undone {
  if ('problem' in outcome) throw new RefusedError(outcome.problem);
  return outcome;
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
  readonly content: string;
}

function toReport(view: UndoView): Report {
  const { history, undone, undoneNumber, number, now, dryRun, servers, content } = view;
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
      content,
      servers: servers.map(toServerJson),
    },
    warnings,
    toText: (paint) => toLines(view, announcement?.state, paint).join('\n'),
  };
}

function toLines(view: UndoView, state: string | undefined, paint: Paint): string[] {
  const { undone, undoneNumber, number, before, history, now, dryRun, servers, content } = view;
  const what = `change ${undoneNumber} (${toTerminalText(undone.by)} ${describeChange({ undoes: null, ...undone })})`;
  const id = paint.bold(undone.id);
  const verb = dryRun ? 'would be' : 'is';
  return [
    dryRun
      ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
      : `${paint.good('✔')} Undid ${what}.`,
    state === undefined ? `${id} ${verb} gone; its id stays taken.` : `${id} ${verb} ${state}.`,
    `Content folder: ${toTerminalText(content)}`,
    ...describeEffect(before, history, { now, dryRun }, paint),
    ...describeServers(servers, 'has this change', paint),
    ...(dryRun ? [] : ['', paint.dim(`To take that back: typebadge announce undo ${number}`)]),
  ];
}
