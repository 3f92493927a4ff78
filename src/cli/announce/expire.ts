import { expire, withdraw } from '../../server/badge/history-edit.ts';
import type { CommandIo } from '../command-io.ts';
import type { Report } from '../report.ts';
import { makeChange, toChangeReport } from './change-report.ts';
import { type EditorOptions, newStamp, openContent, zoneOf } from './content-access.ts';
import { parseStart } from './moment-options.ts';
import { named, refuseProblems } from './publish.ts';
import { refuseMissingId } from './which.ts';

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
  const stamp = newStamp(options, io);
  const zone = zoneOf(options, io);
  const at = options.at === undefined ? undefined : parseStart(options.at, { zone, now: stamp.at });
  refuseProblems([named('--at', at ?? {})]);
  const end = at !== undefined && 'instant' in at ? at.instant : undefined;
  const store = await openContent(options, io);
  const chosen = id ?? (await refuseMissingId(store, 'expire', stamp.at));
  const { made, before } = await makeChange(store, dryRun, (history) => expire(history, chosen, end, stamp));
  return toChangeReport(store, before, made, { zone, now: stamp.at, dryRun, verb: 'Ended' });
}

/** Takes an announcement back: gone from the public history. */
export async function withdrawAnnouncement(
  id: string | undefined,
  options: EditorOptions,
  io: CommandIo,
): Promise<Report> {
  const { dryRun = false } = options;
  const stamp = newStamp(options, io);
  const zone = zoneOf(options, io);
  const store = await openContent(options, io);
  const chosen = id ?? (await refuseMissingId(store, 'withdraw', stamp.at));
  const { made, before } = await makeChange(store, dryRun, (history) => withdraw(history, chosen, stamp));
  return toChangeReport(store, before, made, { zone, now: stamp.at, dryRun, verb: 'Withdrew' });
}
