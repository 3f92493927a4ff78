import type { HistoryFile, PublicAnnouncement, StoredAnnouncement } from './announcement.ts';
import { fieldNames, publicNames, setFields } from './fields.ts';
import { instantText } from './times/instant.ts';
import { audienceKey } from './values/audience.ts';
import { importanceOf } from './values/severity.ts';

export const announcementStates = [
  'active',
  'scheduled',
  'superseded',
  'expired',
  'ended',
  'withdrawn',
] as const;
export type AnnouncementState = (typeof announcementStates)[number];

export interface EntryState {
  readonly entry: StoredAnnouncement;
  readonly state: AnnouncementState;
}

// Stored instants have one form and length, so comparing them as text compares the times.

/** The instant (text) at which an announcement ends: its expiry, or earlier if an editor ended it. */
export function endOf({ expires, expired }: StoredAnnouncement): string {
  return expired !== undefined && expired < expires ? expired : expires;
}

/**
 * The state of each announcement at `now` (epoch milliseconds), latest start first; with equal starts, the
 * later one of the file first. One is superseded by a later one for the same audience.
 */
export function latestStates(file: HistoryFile, now: number): EntryState[] {
  const clock = instantText(now);
  const superseded = new Set<string>();
  const stateOf = (entry: StoredAnnouncement): AnnouncementState => {
    if (entry.withdrawn !== undefined) return 'withdrawn';
    if (entry.published > clock) return 'scheduled';
    const audience = audienceKey(entry.audience);
    const isSuperseded = superseded.has(audience);
    if (entry.alongside === undefined) superseded.add(audience);
    if (endOf(entry) <= clock) return endOf(entry) === entry.expires ? 'expired' : 'ended';
    return isSuperseded ? 'superseded' : 'active';
  };
  return latestFirst(file.announcements).map((entry) => ({ entry, state: stateOf(entry) }));
}

/** Caches the sorted history, because sorting thousands of announcements is slow. */
const sorted = new WeakMap<readonly StoredAnnouncement[], readonly StoredAnnouncement[]>();

function latestFirst(announcements: readonly StoredAnnouncement[]): readonly StoredAnnouncement[] {
  const known = sorted.get(announcements);
  if (known !== undefined) return known;
  const ordered = announcements
    .toReversed()
    .sort((a, b) => (a.published > b.published ? -1 : a.published < b.published ? 1 : 0));
  sorted.set(announcements, ordered);
  return ordered;
}

/** Active announcements that reach readers. */
export const maxActive = 20;

/** The most important active announcement for everyone at `now` (epoch milliseconds). */
export function currentAnnouncement(file: HistoryFile, now: number): PublicAnnouncement | undefined {
  return everyActiveAnnouncement(file, now).find(({ audience }) => audience === undefined);
}

/** What is active at `now` (epoch milliseconds) for any reader: the 20 most important, sorted. */
export function activeAnnouncements(file: HistoryFile, now: number): PublicAnnouncement[] {
  return everyActiveAnnouncement(file, now).slice(0, maxActive);
}

/** The same without the limit: critical before warning before the rest; among equals, the latest first. */
export function everyActiveAnnouncement(file: HistoryFile, now: number): PublicAnnouncement[] {
  return latestStates(file, now)
    .filter(({ state }) => state === 'active')
    .map(({ entry }) => publicAnnouncement(entry))
    .sort((a, b) => importanceOf(b.severity) - importanceOf(a.severity));
}

/** Everything that has begun and was not withdrawn, newest first, as of `now` (epoch milliseconds). */
export function publicHistory(file: HistoryFile, now: number) {
  const clock = instantText(now);
  const announcements = latestStates(file, now)
    .filter(({ state }) => state !== 'withdrawn' && state !== 'scheduled')
    .map(({ entry, state }) => ({ ...publicAnnouncement(entry), active: state === 'active' }));
  const lastUpdated = instantsOf(file).findLast((instant) => instant <= clock) ?? instantText(0);
  return { announcements, lastUpdated };
}
/** What `/content/history.json` answers. */
export type PublicHistory = Readonly<ReturnType<typeof publicHistory>>;
export type PublicHistoryEntry = PublicHistory['announcements'][number];

function publicAnnouncement(entry: StoredAnnouncement): PublicAnnouncement {
  const { id, message, link, published } = entry;
  return { id, message, link, published, expires: endOf(entry), ...setFields(entry, publicNames) };
}

/** The next instant (epoch milliseconds) at which the answers above may change without an edit. */
export function nextTransition(file: HistoryFile, now: number): number | undefined {
  const clock = instantText(now);
  const next = instantsOf(file).find((instant) => instant > clock);
  return next === undefined ? undefined : Date.parse(next);
}

/** When something began, ended or was changed, earliest first. */
function instantsOf({ announcements, changes }: HistoryFile): string[] {
  const ofEntries = announcements.flatMap((entry) => entry.withdrawn ?? [entry.published, endOf(entry)]);
  return [...ofEntries, ...changes.map(({ at }) => at)].sort();
}

/** What an announcement replaces when it starts, the latest first. */
export function replacedBy(file: HistoryFile, entry: StoredAnnouncement): StoredAnnouncement[] {
  if (entry.alongside !== undefined) return [];
  const key = audienceKey(entry.audience);
  const rivals = latestFirst(file.announcements).filter(
    (each) => each.withdrawn === undefined && audienceKey(each.audience) === key,
  );
  const earlier = rivals.slice(rivals.indexOf(entry) + 1);
  // That one had already replaced everything before it.
  const last = earlier.findIndex(({ alongside }) => alongside === undefined);
  const shown = last < 0 ? earlier : earlier.slice(0, last + 1);
  return shown.filter((each) => endOf(each) > entry.published);
}

/** An announcement with its state; only known fields, because a file edited by hand may hold others. */
export function listedAnnouncement({ entry, state }: EntryState) {
  return { ...setFields(entry, fieldNames), state };
}
