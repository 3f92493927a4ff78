import { findAnnouncement } from '../../desk/desk.ts';
import { openDesk } from '../../desk/open-desk.ts';
import {
  announcementJson,
  changeLines,
  describeAnnouncement,
  zoneOf,
} from '../../display/announcement-text.ts';
import { paragraphs } from '../../program/report.ts';
import { type DeskCommand, parseLimit } from '../../program/subcommand.ts';

/** One announcement with everything that happened to it; the current one if no id is given. */
export const showAnnouncement: DeskCommand = async ([id], options, io) => {
  const clock = { zone: zoneOf(options, io), now: io.now() };
  const desk = await openDesk(options, io);
  const announcement = await findAnnouncement(desk, id);
  const changes = (await desk.changes({ id: announcement.id })).changes.toReversed();
  return {
    value: { announcement: announcementJson(announcement), changes },
    text: (paint, columns) =>
      paragraphs(
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        describeAnnouncement(announcement, clock, paint, columns),
        changes.flatMap((change) => changeLines(change, clock.zone, paint, columns)),
      ),
  };
};

/** Who changed what when, the latest first; of one announcement if an id is given. */
export const readLog: DeskCommand<{ readonly limit?: string }> = async ([id], options, io) => {
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
      return paragraphs(
        shown.flatMap((change) => changeLines(change, zone, paint, columns)),
        rest > 0 && paint.dim(`${rest} earlier: --limit ${total} shows all.`),
        paint.dim(`Times are in ${zone}. typebadge announce undo NUMBER undoes a change.`),
      );
    },
  };
};
