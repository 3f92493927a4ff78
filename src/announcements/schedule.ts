import type { HistoryFile, PublicAnnouncement, PublicHistory, StoredAnnouncement } from './announcement.ts';
import { fieldNames, publicFieldsOf } from './fields.ts';
import { instantText } from './times/instant.ts';
import { audienceKey } from './values/audience.ts';
import { importanceOf } from './values/severity.ts';

export type AnnouncementState = 'active' | 'scheduled' | 'superseded' | 'expired' | 'ended' | 'withdrawn';

/** The instant (text) at which an announcement ends: its expiry, or earlier if an editor ended it. */
export function endOf(entry: StoredAnnouncement): string {
  return entry.expired !== undefined && entry.expired < entry.expires ? entry.expired : entry.expires;
}

/** Active announcements that reach readers. */
export const maxActive = 20;

/** The most important active announcement for everyone at `now` (epoch milliseconds). */
export function currentAnnouncement(file: HistoryFile, now: number): PublicAnnouncement | undefined {
  const current = byImportance(file, now).find(({ audience }) => audience === undefined);
  return current && publicAnnouncement(current);
}

/** What is active at `now` (epoch milliseconds) for any reader: the 20 most important, sorted. */
export function activeAnnouncements(file: HistoryFile, now: number): PublicAnnouncement[] {
  return byImportance(file, now).slice(0, maxActive).map(publicAnnouncement);
}

/** The same without the limit. */
export function everyActiveAnnouncement(file: HistoryFile, now: number): PublicAnnouncement[] {
  return byImportance(file, now).map(publicAnnouncement);
}

/** Critical before warning before the rest; among equals, the latest published first. */
function byImportance(file: HistoryFile, now: number): StoredAnnouncement[] {
  const clock = instantText(now);
  return activeAmong(begunInOrder(file, clock), clock)
    .toReversed()
    .toSorted((a, b) => importanceOf(b.severity) - importanceOf(a.severity));
}

/** Everything that has begun and was not withdrawn, newest first, as of `now` (epoch milliseconds). */
export function publicHistory(file: HistoryFile, now: number): PublicHistory {
  const clock = instantText(now);
  const begun = begunInOrder(file, clock);
  const active = new Set(activeAmong(begun, clock));
  const announcements = begun
    .reverse()
    .map((entry) => ({ ...publicAnnouncement(entry), active: active.has(entry) }));
  return { announcements, lastUpdated: lastInstant(file, clock) ?? instantText(0) };
}

/** The next instant (epoch milliseconds) at which the answers above may change without an edit. */
export function nextTransition(file: HistoryFile, now: number): number | undefined {
  const clock = instantText(now);
  let next: string | undefined;
  forEachInstant(file, (instant) => {
    if (instant > clock && (next === undefined || instant < next)) next = instant;
  });
  return next === undefined ? undefined : Date.parse(next);
}

export interface EntryState {
  readonly entry: StoredAnnouncement;
  readonly state: AnnouncementState;
}

/** The state of each announcement at `now` (epoch milliseconds), in the order of the file. */
export function announcementStates(file: HistoryFile, now: number): EntryState[] {
  return statesOf(file, file.announcements, now);
}

/** The same, latest start first; with equal starts, the later one of the file first. */
export function latestStates(file: HistoryFile, now: number): EntryState[] {
  return statesOf(file, inOrder(file.announcements).toReversed(), now);
}

/** The state of one of its announcements at `now` (epoch milliseconds). */
export function stateAt(file: HistoryFile, entry: StoredAnnouncement, now: number): EntryState {
  const [only] = statesOf(file, [entry], now);
  return only as EntryState;
}

function statesOf(file: HistoryFile, entries: readonly StoredAnnouncement[], now: number): EntryState[] {
  const clock = instantText(now);
  const active = new Set(activeAmong(begunInOrder(file, clock), clock));
  return entries.map((entry) => ({ entry, state: stateOf(entry, active.has(entry), clock) }));
}

function publicAnnouncement(entry: StoredAnnouncement): PublicAnnouncement {
  const { id, message, link, published } = entry;
  return { id, message, link, published, expires: endOf(entry), ...publicFieldsOf(entry) };
}

function stateOf(entry: StoredAnnouncement, active: boolean, clock: string): AnnouncementState {
  if (entry.withdrawn !== undefined) return 'withdrawn';
  if (entry.published > clock) return 'scheduled';
  if (active) return 'active';
  if (endOf(entry) > clock) return 'superseded';
  return endOf(entry) === entry.expires ? 'expired' : 'ended';
}

// Stored instants have one form and length, so comparing them as text compares the times.

function begunInOrder(file: HistoryFile, clock: string): StoredAnnouncement[] {
  return inOrder(file.announcements).filter(
    (entry) => entry.withdrawn === undefined && entry.published <= clock,
  );
}

/** Caches the sorted history, because sorting thousands of announcements is slow. */
const sorted = new WeakMap<readonly StoredAnnouncement[], readonly StoredAnnouncement[]>();

/** In order of start. */
function inOrder(announcements: readonly StoredAnnouncement[]): readonly StoredAnnouncement[] {
  const known = sorted.get(announcements);
  if (known !== undefined) return known;
  // The sort is stable: of two published in the same second, the one written later counts as newer.
  const ordered = announcements.toSorted((a, b) =>
    a.published < b.published ? -1 : a.published > b.published ? 1 : 0,
  );
  sorted.set(announcements, ordered);
  return ordered;
}

/** Those that have not ended and are not superseded by a later one for the same audience. */
function activeAmong(begun: readonly StoredAnnouncement[], clock: string): StoredAnnouncement[] {
  const superseded = new Set<string>();
  const active: StoredAnnouncement[] = [];
  for (const entry of begun.toReversed()) {
    const audience = audienceKey(entry.audience);
    if (superseded.has(audience)) continue;
    if (entry.alongside === undefined) superseded.add(audience);
    if (endOf(entry) > clock) active.push(entry);
  }
  return active.reverse();
}

function lastInstant(file: HistoryFile, clock: string): string | undefined {
  let last: string | undefined;
  forEachInstant(file, (instant) => {
    if (instant <= clock && (last === undefined || instant > last)) last = instant;
  });
  return last;
}

/** Without intermediate lists, because a long history has tens of thousands of instants. */
function forEachInstant({ announcements, changes }: HistoryFile, visit: (instant: string) => void): void {
  for (const entry of announcements) {
    if (entry.withdrawn === undefined) {
      visit(entry.published);
      visit(endOf(entry));
    } else visit(entry.withdrawn);
  }
  for (const { at } of changes) visit(at);
}

/** What replaces this one before its end: the next for the same audience, unless it is shown alongside. */
export function successorOf(file: HistoryFile, entry: StoredAnnouncement): StoredAnnouncement | undefined {
  const rivals = rivalsOf(file, entry);
  const later = rivals.slice(rivals.indexOf(entry) + 1);
  const next = later.find(({ alongside }) => alongside === undefined);
  return next !== undefined && next.published < endOf(entry) ? next : undefined;
}

/** The announcements that this one replaces when it starts, the latest first. */
export function replacedBy(file: HistoryFile, entry: StoredAnnouncement): StoredAnnouncement[] {
  if (entry.alongside !== undefined) return [];
  const rivals = rivalsOf(file, entry);
  const earlier = rivals.slice(0, rivals.indexOf(entry)).toReversed();
  // That one had already replaced everything before it.
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

/** An announcement with its state at some moment; fields that are not set are left out. */
export type ListedAnnouncement = StoredAnnouncement & { readonly state: AnnouncementState };

export function findListed(history: HistoryFile, id: string, now: number): ListedAnnouncement | undefined {
  const found = history.announcements.find((entry) => entry.id === id);
  return found && listedAnnouncement(stateAt(history, found, now));
}

/** Only the known fields: a file edited by hand may hold others. */
export function knownFields(entry: StoredAnnouncement): StoredAnnouncement {
  const known = fieldNames.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]);
  return Object.fromEntries(known);
}

export function listedAnnouncement({ entry, state }: EntryState): ListedAnnouncement {
  return { ...knownFields(entry), state };
}
