import { parseEarlyEnd } from '../../../announcements/times/moment-options.ts';
import { changeContent } from '../../desk/change-content.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { type EditorOptions, openDesk } from '../../desk/open-desk.ts';
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
  const context = { zone: zoneOf(options, io), now: io.now() };
  const at = options.at === undefined ? undefined : parseEarlyEnd(options.at, context);
  refuseProblems([named('--at', at ?? {})]);
  const end = at !== undefined && 'instant' in at ? at.instant : undefined;
  const desk = await openDesk(options, io);
  const chosen = await whichAnnouncement(id, desk, { command: 'expire', json }, io);
  return changeContent(desk, { kind: 'expire', id: chosen, at: end }, { ...context, dryRun, verb: 'Ended' });
}
