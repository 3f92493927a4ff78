import type { HistoryFile, StoredAnnouncement } from './announcement.ts';
import { endOf, inOrder } from './schedule.ts';
import { audienceKey } from './values/audience.ts';

/** What takes the place of an announcement before its end: the next one for the same audience, unless it is shown alongside. */
export function successorOf(file: HistoryFile, entry: StoredAnnouncement): StoredAnnouncement | undefined {
  const rivals = rivalsOf(file, entry);
  const later = rivals.slice(rivals.indexOf(entry) + 1);
  const next = later.find(({ alongside }) => alongside === undefined);
  return next !== undefined && next.published < endOf(entry) ? next : undefined;
}

/** What an announcement takes the place of when it starts, the latest first. */
export function replacedBy(file: HistoryFile, entry: StoredAnnouncement): StoredAnnouncement[] {
  if (entry.alongside !== undefined) return [];
  const rivals = rivalsOf(file, entry);
  const earlier = rivals.slice(0, rivals.indexOf(entry)).toReversed();
  // That one has taken the place of everything before it.
  const last = earlier.findIndex(({ alongside }) => alongside === undefined);
  const shown = last < 0 ? earlier : earlier.slice(0, last + 1);
  return shown.filter((each) => endOf(each) > entry.published);
}

/** Everything for the same audience that is not withdrawn, in order of start; the entry itself included. */
function rivalsOf(file: HistoryFile, { audience }: StoredAnnouncement): StoredAnnouncement[] {
  const key = audienceKey(audience);
  return inOrder(file.announcements).filter(
    (each) => each.withdrawn === undefined && audienceKey(each.audience) === key,
  );
}
