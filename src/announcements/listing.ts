import type { HistoryFile, StoredAnnouncement } from './announcement.ts';
import { fieldNames } from './fields.ts';
import { type AnnouncementState, type EntryState, stateAt } from './schedule.ts';

/** An announcement with its state at some moment; fields that are not set are left out. */
export type ListedAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };

export function findListed(history: HistoryFile, id: string, now: number): ListedAnnouncement | undefined {
  const found = history.announcements.find((entry) => entry.id === id);
  return found && toListed(stateAt(history, found, now));
}

/** Only the known fields: a file edited by hand may hold others. */
export function toKnownFields(entry: StoredAnnouncement): StoredAnnouncement {
  const known = fieldNames.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]);
  return Object.fromEntries(known);
}

export function toListed({ entry, state }: EntryState): ListedAnnouncement {
  return { ...toKnownFields(entry), state };
}
