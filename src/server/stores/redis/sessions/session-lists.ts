import type { StoreConnection } from '../connection/connection.ts';
import { runScript } from '../connection/script.ts';
import { noteScript, removeScript, renewScript } from './list-scripts.ts';

/** A session as a list names it; times are milliseconds since 1970. */
export interface ListEntry {
  readonly id: string;
  readonly createdAt: number;
}

/** A session that is used now, or is about to take so many bytes of the store. */
export interface ListedUse extends ListEntry {
  readonly usedAt: number;
  readonly bytes: number;
}

/** What a list may hold of sessions that were used since then. */
export interface ListRoom {
  readonly sessions: number;
  readonly bytes: number;
  readonly since: number;
}

/**
 * Which sessions are open, in all and of each owner, when each was last noted as used, and what they take. The sessions
 * themselves are elsewhere and expire by themselves, so a list may name some that are gone. Every method rejects while the
 * store is away.
 */
export interface SessionLists {
  /**
   * Adds a session, or notes that one is used or grows: it counts with the most that it ever took. What was not used since
   * then is dropped. False, and nothing is added, where there is no room.
   */
  note(list: string, use: ListedUse, room: ListRoom): Promise<boolean>;
  /** Notes a session of the list as used; one that is not in it is not added. */
  renew(list: string, use: ListedUse): Promise<void>;
  remove(list: string, entries: readonly ListEntry[]): Promise<void>;
  /** Oldest first; or only those that were last noted as used at this time or before. */
  entries(list: string, usedUntil?: number): Promise<ListEntry[]>;
  /** How many were noted as used after this time. */
  countSince(list: string, time: number): Promise<number>;
}

export interface SessionListsOptions {
  readonly prefix: string;
  /** Milliseconds after which the store itself removes a list none of whose sessions was noted as used. */
  readonly expiry: number;
}

export function createSessionLists(
  store: StoreConnection,
  { prefix, expiry }: SessionListsOptions,
): SessionLists {
  const keyOf = (list: string) => `${prefix}:sessions:{${list}}`;
  const keysOf = (list: string) => [keyOf(list), `${keyOf(list)}:bytes`] as const;
  const life = String(Math.ceil(expiry));
  return {
    async note(list, use, room) {
      const bounds = [room.since, toCount(room.sessions), toCount(room.bytes)].map(String);
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
