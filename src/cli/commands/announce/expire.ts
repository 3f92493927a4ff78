import type { HistoryFile } from '../../../announcements/announcement.ts';
import { expire } from '../../../announcements/history-edit.ts';
import { changeContent } from '../../desk/change-content.ts';
import { type EditorOptions, newStamp, openContent, zoneOf } from '../../desk/content-access.ts';
import { parseStart } from '../../../announcements/times/moment-options.ts';
import { named, refuseProblems } from '../../desk/text-problems.ts';
import { whichAnnouncement } from '../../forms/which-announcement.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

export interface ExpireOptions extends EditorOptions {
  readonly at?: string;
}

/** Ends an announcement, now or at a later moment. */
export async function expireAnnouncement(
  id: string | undefined,
  options: ExpireOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false, json } = options;
  const stamp = newStamp(options, io);
  const context = { zone: zoneOf(options, io), now: stamp.at };
  const at = options.at === undefined ? undefined : parseStart(options.at, context);
  refuseProblems([named('--at', at ?? {})]);
  const end = at !== undefined && 'instant' in at ? at.instant : undefined;
  const store = await openContent(options, io);
  const chosen = await whichAnnouncement(id, store, { command: 'expire', json }, io);
  const change = (history: HistoryFile) => expire(history, chosen, end, stamp);
  return changeContent({ store, change, view: { ...context, dryRun, verb: 'Ended' } }, io);
}
