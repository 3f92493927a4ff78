import { readEarlyEnd } from '../../../announcements/changes/draft.ts';
import { expireBody, required, requireId } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import type { EditorOptions } from '../../desk/desk-place.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
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
  const { dryRun = false } = options;
  const context = { zone: zoneOf(options, io), now: io.now() };
  const end = required(readEarlyEnd(options.at, context));
  const desk = await openDesk(options, io);
  const verb = end !== undefined && end > context.now ? 'Set the end of' : 'Ended';
  const change = desk.expire(requireId(id), expireBody(end, context.now), { dryRun });
  return reportChange(desk, change, { ...context, dryRun, verb });
}

/** Takes an announcement back: it leaves the public history, and what it superseded is active again. */
export async function withdrawAnnouncement(
  id: string | undefined,
  options: EditorOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const context = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const change = desk.withdraw(requireId(id), { dryRun });
  return reportChange(desk, change, { ...context, dryRun, verb: 'Withdrew' });
}
