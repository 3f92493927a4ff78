import { readEarlyEnd } from '../../../announcements/changes/draft.ts';
import { expireBody, required } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import type { EditorOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { announcementJson, zoneOf } from '../../display/announcement-text.ts';
import { whichAnnouncement } from '../../forms/prompts.ts';
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
  const context = { zone: zoneOf(options, io), now: io.now() };
  const end = required(readEarlyEnd(options.at, context));
  const desk = await openDesk(options, io);
  const list = async () => (await desk.listAll()).value.announcements.map(announcementJson);
  const chosen = await whichAnnouncement(id, { command: 'expire', json, list }, io);
  const change = desk.expire(chosen, expireBody(end, context.now), { dryRun });
  return reportChange(desk, 'expire', change, { ...context, dryRun, verb: 'Ended' });
}

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
