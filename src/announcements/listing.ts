import type { HistoryFile, StoredAnnouncement } from './announcement.ts';
import { fieldNames } from './fields.ts';
import { type AnnouncementState, announcementStates } from './schedule.ts';

/** An announcement with what it is at some moment; fields that are not set are left out. */
export type ListedAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };

/** All announcements at `now` (epoch milliseconds), the latest start first; of two of the same second the later in the file. */
export function listedAnnouncements(history: HistoryFile, now: number): ListedAnnouncement[] {
  return announcementStates(history, now)
    .map(({ entry, state }) => toListed(entry, state))
    .reverse()
    .toSorted((a, b) => (a.published < b.published ? 1 : a.published > b.published ? -1 : 0));
}

export function findListed(history: HistoryFile, id: string, now: number): ListedAnnouncement | undefined {
  const found = announcementStates(history, now).find(({ entry }) => entry.id === id);
  return found && toListed(found.entry, found.state);
}

/** The fields that we know; a file written by hand may hold others. */
export function toKnownFields(entry: StoredAnnouncement): StoredAnnouncement {
  const known = fieldNames.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]);
  return Object.fromEntries(known);
}

function toListed(entry: StoredAnnouncement, state: AnnouncementState): ListedAnnouncement {
  return { ...toKnownFields(entry), state };
}
