import type { HistoryFile } from '../../../announcements/announcement.ts';
import { withdraw } from '../../../announcements/history-edit.ts';
import { changeContent } from '../../desk/change-content.ts';
import { type EditorOptions, newStamp, openContent, zoneOf } from '../../desk/content-access.ts';
import { whichAnnouncement } from '../../forms/which-announcement.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

/** Takes an announcement back: it leaves the public history, and what it superseded is active again. */
export async function withdrawAnnouncement(
  id: string | undefined,
  options: EditorOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false, json } = options;
  const stamp = newStamp(options, io);
  const context = { zone: zoneOf(options, io), now: stamp.at };
  const store = await openContent(options, io);
  const chosen = await whichAnnouncement(id, store, { command: 'withdraw', json }, io);
  const change = (history: HistoryFile) => withdraw(history, chosen, stamp);
  return changeContent({ store, change, view: { ...context, dryRun, verb: 'Withdrew' } }, io);
}
