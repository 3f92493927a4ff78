import { findAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import { announcementJson, describeAnnouncement, zoneOf } from '../../display/announcement-text.ts';
import { changeLines } from '../../display/change-text.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import type { DeskOptions } from '../../program/subcommand.ts';
import { parseLimit } from '../../program/subcommand.ts';

/** One announcement with everything that happened to it; the current one if no id is given. */
export async function showAnnouncement(
  [id]: readonly string[],
  options: DeskOptions,
  io: CommandIo,
): Promise<Report> {
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const announcement = announcementJson(await findAnnouncement(desk, id));
  const changes = (await desk.changes({ id: announcement.id })).changes.toReversed();
  return {
    value: { announcement, changes },
    text: (paint, columns) =>
      [
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        '',
        ...describeAnnouncement(announcement, clock, paint, columns),
        ...(changes.length > 0 ? [''] : []),
        ...changes.flatMap((change) => changeLines(change, clock.zone, paint, columns)),
      ].join('\n'),
  };
}

/** Who changed what when, the latest first; of one announcement if an id is given. */
export async function readLog(
  [id]: readonly string[],
  options: DeskOptions & { readonly limit?: string },
  io: CommandIo,
): Promise<Report> {
  const limit = parseLimit(options.limit);
  const zone = zoneOf(options, io);
  const desk = await openDesk(options, io);
  const { changes: shown, total } = await desk.changes({ id }, limit);
  // An announcement that was written into the file by hand has no changes.
  if (id !== undefined && total === 0) await findAnnouncement(desk, id);
  return {
    value: { changes: shown, total },
    text: (paint, columns) => {
      if (shown.length === 0)
        return id === undefined
          ? 'Nothing has been changed yet.'
          : `Nothing about ${id} has been changed yet.`;
      const rest = total - shown.length;
      return [
        ...shown.flatMap((change) => changeLines(change, zone, paint, columns)),
        ...(rest > 0 ? ['', paint.dim(`${rest} earlier: --limit ${total} shows all.`)] : []),
        '',
        paint.dim(`Times are in ${zone}. typebadge announce undo NUMBER undoes a change.`),
      ].join('\n');
    },
  };
}
