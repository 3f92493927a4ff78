import { zoneOf } from '../../desk/content-access.ts';
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
import { reportChange } from '../../desk/reported-change.ts';
import { announcementJson } from '../../display/announcement-json.ts';
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
  const context = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const list = async () => (await desk.listAll()).value.announcements.map(announcementJson);
  const chosen = await whichAnnouncement(id, { command: 'withdraw', json, list }, io);
  const change = desk.withdraw(chosen, { dryRun });
  return reportChange(desk, 'withdraw', change, { ...context, dryRun, verb: 'Withdrew' });
}
