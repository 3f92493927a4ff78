import { emptyHistory, type HistoryFile } from '../../server/badge/announcement.ts';
import { undo } from '../../server/badge/history-undo.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { UsageError } from '../usage-error.ts';
import { allAnnouncements } from './announcement-json.ts';
import { describeChange } from './change-lines.ts';
import { describeEffect } from './change-report.ts';
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
  const { dryRun = false } = options;
  let before = emptyHistory;
  const change = (history: HistoryFile) => {
    before = history;
    return undo(history, number === undefined ? undefined : Number(number), stamp);
  };
  const outcome = dryRun ? change(await store.readHistory()) : await store.updateHistory(change);
  if ('problem' in outcome) throw new RefusedError(outcome.problem);

  const { history, undone, undoneNumber } = outcome;
  const announcement = allAnnouncements(history, stamp.at).find(({ id }) => id === undone.id) ?? null;
  return {
    value: {
      announcement,
      change: dryRun ? null : outcome.number,
      undone: undoneNumber,
      dryRun,
      content: store.dir,
    },
    toText: (paint) => {
      const what = `change ${undoneNumber} (${describeChange({ undoes: null, ...undone })})`;
      const id = paint.bold(undone.id);
      return [
        dryRun
          ? `${paint.warn('Dry run')}: nothing was changed. This would undo ${what}.`
          : `${paint.good('✔')} Undid ${what}.`,
        announcement === null
          ? `${id} ${dryRun ? 'would be' : 'is'} gone; its id stays taken.`
          : `${id} ${dryRun ? 'would be' : 'is'} ${announcement.state}.`,
        ...describeEffect(before, history, { now: stamp.at, dryRun }, paint),
        ...(dryRun ? [] : ['', paint.dim(`To take that back: typebadge announce undo ${outcome.number}`)]),
      ].join('\n');
    },
  };
}
