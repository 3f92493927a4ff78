import type { HistoryFile } from '../../server/badge/announcement.ts';
import { currentAnnouncement } from '../../server/badge/schedule.ts';
import type { CommandIo } from '../command-io.ts';
import { RefusedError, type Report } from '../report.ts';
import { type AnnouncementJson, allAnnouncements } from './announcement-json.ts';
import { describeAnnouncement } from './announcement-lines.ts';
import { numberedChanges, toChangeLines } from './change-lines.ts';
import { type ContentOptions, openContent, zoneOf } from './content-access.ts';

export interface ShowOptions extends ContentOptions {
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
  const history = await (await openContent(options, io)).readHistory();
  const announcement = findAnnouncement(history, id, now);
  const changes = numberedChanges(history.changes).filter((change) => change.id === announcement.id);
  return {
    value: { announcement, changes },
    toText: (paint, columns) =>
      [
        `${paint.bold(announcement.id)} is ${announcement.state}.`,
        '',
        ...describeAnnouncement(announcement, { zone, now }, paint, columns),
        ...(changes.length > 0
          ? ['', ...changes.flatMap((change) => toChangeLines(change, zone, paint, columns))]
          : []),
      ].join('\n'),
  };
}

export function findAnnouncement(
  history: HistoryFile,
  id: string | undefined,
  now: number,
): AnnouncementJson {
  const wanted = id ?? currentAnnouncement(history, now)?.id;
  if (wanted === undefined)
    throw new RefusedError('no announcement is shown now; typebadge announce list shows all there are');
  const found = allAnnouncements(history, now).find((candidate) => candidate.id === wanted);
  if (found === undefined)
    throw new RefusedError(`there is no announcement ${wanted}; typebadge announce list shows all there are`);
  return found;
}
