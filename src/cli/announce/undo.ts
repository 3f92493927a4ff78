import type { HistoryFile } from '../../server/badge/announcement.ts';
import { undo } from '../../server/badge/history-undo.ts';
import { currentAnnouncement } from '../../server/badge/schedule.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { allAnnouncements } from './announcement-json.ts';
import { describeChange } from './change-lines.ts';
import { type EditorOptions, newStamp, openContent } from './content-access.ts';

/** Takes back the last change that still stands, or the change with that number. */
export async function undoChange(
  number: string | undefined,
  options: EditorOptions,
  io: CommandIo,
): Promise<Report> {
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number)) {
    throw new UsageError(`"${number}" is no number of a change; typebadge announce log shows them`);
  }
  const stamp = newStamp(options, io);
  const store = await openContent(options, io);
  const change = (history: HistoryFile) =>
    undo(history, number === undefined ? undefined : Number(number), stamp);
  const dryRun = options.dryRun === true;
  const outcome = dryRun ? change(await store.readHistory()) : await store.updateHistory(change);
  if ('problem' in outcome) throw new RefusedError(outcome.problem);

  const { history, undone, undoneNumber } = outcome;
  const announcement = allAnnouncements(history, stamp.at).find(({ id }) => id === undone.id) ?? null;
  const current = currentAnnouncement(history, stamp.at);
  return {
    value: {
      announcement,
      change: dryRun ? null : outcome.number,
      undone: undoneNumber,
      dryRun,
      content: store.dir,
    },
    toText: (paint) =>
      [
        `${dryRun ? `${paint.warn('Dry run')}, nothing was changed. Would undo` : `${paint.good('✔')} Undid`} change ${undoneNumber}: ${describeChange({ undoes: null, ...undone })}.`,
        announcement === null
          ? `${undone.id} is gone again; its id will not be used for another.`
          : `${paint.bold(undone.id)} is ${announcement.state}.`,
        current === undefined
          ? 'The badge shows its logo alone now.'
          : `The badge shows ${paint.bold(current.id)} now.`,
        ...(dryRun ? [] : ['', paint.dim(`To take that back: typebadge announce undo ${outcome.number}`)]),
      ].join('\n'),
  };
}
