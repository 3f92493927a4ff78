import { numberedChanges } from '../../../announcements/changes/change-log.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { type DeskOptions, openDesk } from '../../desk/open-desk.ts';
import { findAnnouncement } from '../../display/announcement-json.ts';
import { describeAnnouncement } from '../../display/announcement-lines.ts';
import { toChangeLines } from '../../display/change-lines.ts';
import { warnOfPlace } from '../../display/desk-place.ts';
import { describeSuccession } from '../../display/succession-lines.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';

export interface ShowOptions extends DeskOptions {
  readonly zone?: string;
}

/** One announcement with everything that happened to it; the current one where no id is given. */
export async function showAnnouncement(
  id: string | undefined,
  options: ShowOptions,
  io: CommandIo,
): Promise<Report> {
  const zone = zoneOf(options, io);
  const now = io.now();
  const { place, read } = await openDesk(options, io);
  const { history } = await read();
  const announcement = findAnnouncement(history, id, now);
  const changes = numberedChanges(history.changes).filter((change) => change.id === announcement.id);
  return {
    value: { announcement, changes },
    warnings: warnOfPlace(place),
    toText: (paint, columns) =>
      [
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        '',
        ...describeAnnouncement(announcement, { zone, now }, paint, columns),
        ...describeSuccession(history, announcement.id, { zone, now }, paint, columns),
        ...(changes.length > 0
          ? ['', ...changes.flatMap((change) => toChangeLines(change, zone, paint, columns))]
          : []),
      ].join('\n'),
  };
}
