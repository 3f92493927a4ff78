import type { StoreConnection } from '../connection/connection.ts';
import { asideOf, onSoundKeys } from '../connection/damaged-keys.ts';
import { runScript } from '../connection/script.ts';
import { countScript, noteScript, removeScript, renewScript, unusedScript } from './list-scripts.ts';

/** An entry of a list: a session or a player. Times are in milliseconds since 1970. */
export interface ListEntry {
  readonly id: string;
  readonly createdAt: number;
}

/** An entry that is used, or is about to take so many bytes of the store. */
export interface ListedUse extends ListEntry {
  /** Default: now. */
  readonly usedAt?: number;
  readonly bytes: number;
}

/** The limits of a list. */
export interface ListRoom {
  readonly entries: number;
  readonly bytes: number;
  /** Milliseconds after which an unused entry is dropped; infinite: never. */
  readonly unused: number;
}

/** For entries that were admitted before, or are imported unchanged. */
export const endlessRoom: ListRoom = {
  entries: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  unused: Number.POSITIVE_INFINITY,
};

/**
 * Things that take room in the store, with the time of their last noted use and their bytes. The things themselves are elsewhere
 * and expire on their own, so a list may contain some that no longer exist. Every method rejects while the store is away.
 */
export interface CountedLists {
  /**
   * Adds an entry, or notes that it is used or grows: it counts with the most bytes that it ever took. Entries unused for too
   * long are dropped first. False, and nothing is added, if there is no room.
   */
  note(list: string, use: ListedUse, room: ListRoom): Promise<boolean>;
  /** Notes an existing entry as used. Returns whether it is in the list. */
  renew(list: string, use: ListedUse): Promise<boolean>;
  has(list: string, entry: ListEntry): Promise<boolean>;
  remove(list: string, entries: readonly ListEntry[]): Promise<void>;
  /** Oldest first. */
  entries(list: string): Promise<ListEntry[]>;
  /** Entries not noted as used for so many milliseconds, oldest first. */
  unusedFor(list: string, time: number): Promise<ListEntry[]>;
  /** Number of entries noted as used within so many milliseconds. */
  countUsed(list: string, time: number): Promise<number>;
  /** Whether the list was set aside because it was damaged, so that entries may be missing. */
  wasDamaged(list: string): Promise<boolean>;
  /** Removes what was set aside of a list. */
  dropDamaged(list: string): Promise<void>;
}

export interface CountedListsOptions {
  /** Prefix of the keys of these lists. */
  readonly root: string;
  /** Milliseconds without a noted use after which the store itself removes a list. */
  readonly expiry: number;
  /** Milliseconds since 1970. Default: the store's clock. */
  readonly clock?: (() => number) | undefined;
}

/** Longest expiry that the store accepts, in milliseconds: a few thousand years. */
const longestLife = 1e14;

export function createCountedLists(
  store: StoreConnection,
  { root, expiry, clock }: CountedListsOptions,
): CountedLists {
  const keyOf = (list: string) => `${root}:{${list}}`;
  const keysOf = (list: string) => [keyOf(list), `${keyOf(list)}:bytes`] as const;
  const onList = <T>(list: string, work: () => Promise<T>) =>
    onSoundKeys(store, [{ key: keyOf(list), kind: 'ranking' }], work);
  const timeOf = ({ usedAt = clock?.() }: Partial<ListedUse>) => (usedAt === undefined ? '' : String(usedAt));
  const life = String(Math.min(Math.ceil(expiry), longestLife));
  return {
    async note(list, use, room) {
      const unused = Number.isFinite(room.unused) ? String(room.unused) : '';
      const bounds = [unused, String(toCount(room.entries)), String(toCount(room.bytes))];
      const args = [timeOf(use), toMember(use), String(use.bytes), life, ...bounds];
      return (await runScript(store, noteScript, ...keysOf(list), ...args)) === 1;
    },
    renew: async (list, use) =>
      (await runScript(store, renewScript, ...keysOf(list), timeOf(use), toMember(use), life)) === 1,
    has: async (list, entry) =>
      (await onList(list, () => store.run((client) => client.zscore(keyOf(list), toMember(entry))))) !== null,
    async remove(list, entries) {
      if (entries.length > 0) await runScript(store, removeScript, ...keysOf(list), ...entries.map(toMember));
    },
    async entries(list) {
      const members = await onList(list, () =>
        store.run((client) => client.zrangebyscore(keyOf(list), '-inf', '+inf')),
      );
      return toEntries(members);
    },
    async unusedFor(list, time) {
      const members = await runScript(store, unusedScript, keyOf(list), timeOf({}), String(time));
      return toEntries(members as string[]);
    },
    countUsed: async (list, time) =>
      (await runScript(store, countScript, keyOf(list), timeOf({}), String(time))) as number,
    wasDamaged: async (list) => (await store.run((client) => client.exists(asideOf(keyOf(list))))) > 0,
    async dropDamaged(list) {
      await store.run((client) => client.unlink(...keysOf(list).map(asideOf)));
    },
  };
}

/** Scripts have no infinity. */
const toCount = (bound: number) => Math.min(bound, Number.MAX_SAFE_INTEGER);

const toMember = ({ createdAt, id }: ListEntry) => `${createdAt}:${id}`;

function toEntry(member: string): ListEntry {
  const end = member.indexOf(':');
  return { createdAt: Number(member.slice(0, end)), id: member.slice(end + 1) };
}

/** Oldest first. Leaves out members that are not ours; they are dropped like unused entries. */
function toEntries(members: readonly string[]): ListEntry[] {
  return members
    .map(toEntry)
    .filter(({ id, createdAt }) => id !== '' && isTime(createdAt))
    .sort(byAge);
}

function isTime(milliseconds: number): boolean {
  return !Number.isNaN(new Date(milliseconds).getTime());
}

function byAge(one: ListEntry, other: ListEntry): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
