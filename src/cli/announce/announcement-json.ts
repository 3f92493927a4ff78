import type { HistoryFile, StoredAnnouncement } from '../../server/badge/announcement.ts';
import { type AnnouncementState, announcementStates } from '../../server/badge/schedule.ts';

/** An announcement as `--json` prints it. Part of the tool's contract: fields are added, never changed. */
export interface AnnouncementJson {
  readonly id: string;
  readonly message: string;
  readonly link: string;
  readonly published: string;
  readonly expires: string;
  readonly alongside: boolean;
  readonly state: AnnouncementState;
  /** When an editor ended it, or will have; null where nobody did. */
  readonly expired: string | null;
  readonly withdrawn: string | null;
}

function toAnnouncementJson(entry: StoredAnnouncement, state: AnnouncementState): AnnouncementJson {
  const {
    id,
    message,
    link,
    published,
    expires,
    alongside = false,
    expired = null,
    withdrawn = null,
  } = entry;
  return { id, message, link, published, expires, alongside, state, expired, withdrawn };
}

/** Every announcement with its state at `now`, in the order of the file. */
export function allAnnouncements(history: HistoryFile, now: number): AnnouncementJson[] {
  return announcementStates(history, now).map(({ entry, state }) => toAnnouncementJson(entry, state));
}
