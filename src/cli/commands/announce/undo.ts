import { describeChange } from '../../../announcements/changes/change-log.ts';
import { safeText } from '../../../kit/terminal-text.ts';
import { reportChange } from '../../desk/change-report.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../../program/command-io.ts';
import { askYesNo } from '../../program/questions.ts';
import type { Report } from '../../program/report.ts';
import type { DeskOptions } from '../../program/subcommand.ts';

/** Undoes the last change that is not undone yet, or the change with that number. */
export async function undoChange(
  [number]: readonly string[],
  options: DeskOptions & { readonly yes?: boolean },
  io: CommandIo,
): Promise<Report> {
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
    throw new UsageError(`"${number}" is not a change number; typebadge announce log shows them`);
  const { yes = false, json = false, dryRun = false } = options;
  const view = { zone: zoneOf(options, io), now: io.now(), dryRun, verb: 'Undid' };
  const desk = await openDesk(options, io);
  const planned = await desk.undo(number === undefined ? undefined : Number(number), { dryRun: true });
  if (dryRun) return reportChange(desk, planned, view);
  const { undone, by } = planned;
  if (!yes && by !== (await desk.list({ limit: 1 })).editor) {
    const what = `Change ${undone} was made by ${safeText(by)}`;
    if (json || !isInteractive(io)) throw new RefusedError(`${what}; to undo it, add --yes`);
    if (!(await askYesNo(`${what}: ${describeChange(planned)}. Undo it?`, io)))
      throw new DeclinedError('nothing was changed');
  }
  // The change that was confirmed, even if another editor has made one since.
  return reportChange(desk, await desk.undo(undone), view);
}
