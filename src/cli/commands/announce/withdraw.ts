import { changeContent } from '../../desk/change-content.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
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
  const chosen = await whichAnnouncement(id, desk, { command: 'withdraw', json }, io);
  return changeContent(desk, { kind: 'withdraw', id: chosen }, { ...context, dryRun, verb: 'Withdrew' });
}
