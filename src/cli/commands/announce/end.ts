import { readEarlyEnd } from '../../../announcements/changes/draft.ts';
import { required, requireId, startText } from '../../desk/change-options.ts';
import { reportChange } from '../../desk/change-report.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { zoneOf } from '../../display/announcement-text.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import type { DeskOptions } from '../../program/subcommand.ts';

/** Ends an announcement, now or at a later moment. */
export async function expireAnnouncement(
  [id]: readonly string[],
  options: DeskOptions & { readonly at?: string },
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const end = required(readEarlyEnd(options.at, clock));
  const desk = await openDesk(options, io);
  const verb = end !== undefined && end > clock.now ? 'Set the end of' : 'Ended';
  const answer = await desk.expire(requireId(id), { at: startText(end, clock.now) }, { dryRun });
  return reportChange(desk, answer, { ...clock, dryRun, verb });
}

/** Withdraws an announcement: it leaves the public history, and what it superseded is active again. */
export async function withdrawAnnouncement(
  [id]: readonly string[],
  options: DeskOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const answer = await desk.withdraw(requireId(id), { dryRun });
  return reportChange(desk, answer, { ...clock, dryRun, verb: 'Withdrew' });
}
