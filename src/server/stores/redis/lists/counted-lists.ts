import type { StoreConnection } from '../connection/connection.ts';
import { runScript } from '../connection/script.ts';
import { noteScript, removeScript, renewScript } from './list-scripts.ts';

/** What a list has: a session, or a player; times are milliseconds since 1970. */
export interface ListEntry {
  readonly id: string;
  readonly createdAt: number;
}

/** One that is used now, or is about to take so many bytes of the store. */
export interface ListedUse extends ListEntry {
  readonly usedAt: number;
  readonly bytes: number;
}

/** What a list may hold of entries that were used since then. */
export interface ListRoom {
  readonly entries: number;
  readonly bytes: number;
  readonly since: number;
}

/**
 * What takes room in the store, when each was last noted as used, and how many bytes it takes. The things themselves are
 * elsewhere and expire by themselves, so a list may name some that are gone. Every method rejects while the store is away.
 */
export interface CountedLists {
  /**
   * Adds an entry, or notes that one is used or grows: it counts with the most that it ever took. What was not used since
   * then is dropped. False, and nothing is added, where there is no room.
   */
  note(list: string, use: ListedUse, room: ListRoom): Promise<boolean>;
  /** Notes one that is in the list as used. */
  renew(list: string, use: ListedUse): Promise<void>;
  remove(list: string, entries: readonly ListEntry[]): Promise<void>;
  /** Oldest first; or only those that were last noted as used at this time or before. */
  entries(list: string, usedUntil?: number): Promise<ListEntry[]>;
  /** How many were noted as used after this time. */
  countSince(list: string, time: number): Promise<number>;
}

export interface CountedListsOptions {
  /** What the keys of these lists begin with. */
  readonly root: string;
  /** Milliseconds after which the store itself removes a list none of whose entries was noted as used. */
  readonly expiry: number;
}

/** Milliseconds: what the store takes for an expiry, some thousand years. */
const longestLife = 1e14;

export function createCountedLists(
  store: StoreConnection,
  { root, expiry }: CountedListsOptions,
): CountedLists {
  const keyOf = (list: string) => `${root}:{${list}}`;
  const keysOf = (list: string) => [keyOf(list), `${keyOf(list)}:bytes`] as const;
  const life = String(Math.min(Math.ceil(expiry), longestLife));
  return {
    async note(list, use, room) {
      const bounds = [room.since, toCount(room.entries), toCount(room.bytes)].map(String);
      const args = [toMember(use), String(use.usedAt), String(use.bytes), life, ...bounds];
      return (await runScript(store, noteScript, ...keysOf(list), ...args)) === 1;
    },
    async renew(list, use) {
      await runScript(store, renewScript, ...keysOf(list), toMember(use), String(use.usedAt), life);
    },
    async remove(list, entries) {
      if (entries.length > 0) await runScript(store, removeScript, ...keysOf(list), ...entries.map(toMember));
    },
    async entries(list, usedUntil = Number.POSITIVE_INFINITY) {
      const until = Number.isFinite(usedUntil) ? String(usedUntil) : '+inf';
      const members = await store.run((client) => client.zrangebyscore(keyOf(list), '-inf', until));
      return members.map(toEntry).sort(byAge);
    },
    countSince: (list, time) => store.run((client) => client.zcount(keyOf(list), `(${time}`, '+inf')),
  };
}

/** The script knows no infinity. */
const toCount = (bound: number) => Math.min(bound, Number.MAX_SAFE_INTEGER);

const toMember = ({ createdAt, id }: ListEntry) => `${createdAt}:${id}`;

function toEntry(member: string): ListEntry {
  const end = member.indexOf(':');
  return { createdAt: Number(member.slice(0, end)), id: member.slice(end + 1) };
}

function byAge(one: ListEntry, other: ListEntry): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
