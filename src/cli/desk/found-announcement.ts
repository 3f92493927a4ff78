import type { Succession } from '../../contract/desk-types.ts';
import { type AnnouncementJson, announcementJson } from '../display/announcement-json.ts';
import { RefusedError } from '../program/command-errors.ts';
import type { Desk } from './desk.ts';

export interface FoundAnnouncement {
  readonly announcement: AnnouncementJson;
  readonly succession: Succession;
}

/** The announcement with that id, or the current one if none is given. */
export async function findAnnouncement(desk: Desk, id: string | undefined): Promise<FoundAnnouncement> {
  const wanted = id ?? (await desk.list({ limit: 1 })).value.current;
  if (wanted === null)
    throw new RefusedError('no announcement is shown now; typebadge announce list shows all there are');
  const { announcements, succession } = (await desk.list({ id: wanted })).value;
  const [found] = announcements;
  if (found === undefined)
    throw new RefusedError(`there is no announcement ${wanted}; typebadge announce list shows all there are`);
  return {
    announcement: announcementJson(found),
    succession: succession ?? { supersedes: [], supersededBy: null },
  };
}
