import { zoneOf } from '../../desk/content-access.ts';
import { findAnnouncement } from '../../desk/found-announcement.ts';
import { type DeskOptions, openDesk } from '../../desk/open-desk.ts';
import { describeAnnouncement, describeSuccession } from '../../display/announcement-lines.ts';
import { toChangeLines } from '../../display/change-lines.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

export interface ShowOptions extends DeskOptions {
  readonly zone?: string;
}

/** One announcement with everything that happened to it; the current one if no id is given. */
export async function showAnnouncement(
  id: string | undefined,
  options: ShowOptions,
  io: CommandIo,
): Promise<Report> {
  const zone = zoneOf(options, io);
  const now = io.now();
  const desk = await openDesk(options, io);
  const { announcement, succession } = await findAnnouncement(desk, id);
  const log = await desk.changesAll({ id: announcement.id });
  const changes = log.changes.toReversed();
  return {
    value: { announcement, changes },
    toText: (paint, columns) =>
      [
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        '',
        ...describeAnnouncement(announcement, { zone, now }, paint, columns),
        ...describeSuccession(announcement, succession, { zone, now }, paint, columns),
        ...(changes.length > 0
          ? ['', ...changes.flatMap((change) => toChangeLines(change, zone, paint, columns))]
          : []),
      ].join('\n'),
  };
}
