import type { PlayerId } from './player.ts';
import { type SessionAdmission, SessionMemoryError, type Sessions, type StoredSession } from './ports.ts';
import type { Session } from './session.ts';
import { createSessionMemory } from './session-memory.ts';
import { createSessionOwners } from './session-owners.ts';
import { sessionBytes } from './session-size.ts';
import type { UnsavedRound } from './unsaved-rounds.ts';

export interface MemorySessionsOptions {
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Sessions at once. */
  readonly limit: number;
  /** Bytes that all sessions together may take. Default: no limit. */
  readonly memory?: number;
  /** Bytes that the sessions of one client, or of one block, may take. Default: no limit. A client of no name has none. */
  readonly memoryPerClient?: number | undefined;
  /** Sessions at once of one player, and of one client; of one block, sixteen times as many. Undefined: no bound. */
  readonly limitPerClient?: number | undefined;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** A clock that never jumps, in milliseconds: a computer whose date is set must not lose its sessions. Default: `performance.now`. */
  readonly ticks?: () => number;
  /** Called with the id of every session that is new, used, changed or gone. */
  readonly onChange?: (id: string) => void;
}

/** The port, and what only the keeper of this store may do. */
export interface MemorySessions extends Sessions {
  /** A session, not renewed by this; also one that has expired but was not evicted yet. */
  peek(id: string): StoredSession | undefined;
  /** Takes in a session of an earlier process, regardless of the limits. */
  restore(stored: StoredSession): void;
  /** Finished rounds of a player that are not kept yet. */
  unsavedOf(player: PlayerId): readonly UnsavedRound[];
  /** The ids of all sessions, expired ones included. */
  ids(): IterableIterator<string>;
  expired(): Session[];
  /** Removes a session, expired or not. */
  evict(id: string): void;
  /** What all sessions take by now, expired ones included. */
  bytes(): number;
}

interface Entry {
  session: Session;
  lastUsed: number;
  /** The same on the clock that never jumps. */
  usedAt: number;
  bytes: number;
}

/** Sessions in the memory of this process. Every method answers at once. */
export function createMemorySessions(options: MemorySessionsOptions): MemorySessions {
  const infinite = Number.POSITIVE_INFINITY;
  const { ttl, limit, now = Date.now, ticks = () => performance.now(), onChange = () => undefined } = options;
  const entries = new Map<string, Entry>();
  const isLiving = ({ usedAt }: Entry, time: number) => time - usedAt < ttl;
  const owners = createSessionOwners(options.limitPerClient ?? infinite, (id) =>
    isLiving(entries.get(id) as Entry, ticks()),
  );
  const memory = createSessionMemory({
    all: options.memory ?? infinite,
    perClient: options.memoryPerClient ?? infinite,
  });

  /** The entry of a living session, renewed. */
  const use = (id: string) => {
    const time = ticks();
    const entry = entries.get(id);
    if (entry === undefined || time - entry.usedAt >= ttl) return undefined;
    entry.usedAt = time;
    entry.lastUsed = now();
    return entry;
  };
  const living = () => {
    const time = ticks();
    return [...entries.values()].filter((entry) => isLiving(entry, time));
  };
  const livingOf = (player: PlayerId) => {
    const time = ticks();
    return owners
      .idsOf(player)
      .map((id) => entries.get(id) as Entry)
      .filter((entry) => isLiving(entry, time));
  };

  const put = (session: Session, lastUsed: number, bytes: number) => {
    owners.add(session);
    // What happened in an earlier life only the dates can tell; one in the future was written before the date was set back.
    const unused = Math.max(0, now() - lastUsed);
    memory.take(session, bytes - (entries.get(session.id)?.bytes ?? 0));
    entries.set(session.id, { session, lastUsed, usedAt: ticks() - unused, bytes });
    onChange(session.id);
  };
  /** What has grown must fit; what has shrunk may stay, however little room there is. */
  const replace = (entry: Entry, session: Session) => {
    const bytes = sessionBytes(session);
    const growth = bytes - entry.bytes;
    const full = growth > 0 ? memory.whoIsFull(session, growth) : undefined;
    if (full !== undefined) throw new SessionMemoryError(full);
    memory.take(session, growth);
    entry.bytes = bytes;
    entry.session = session;
  };
  const evict = (id: string) => {
    const entry = entries.get(id);
    if (entry !== undefined) {
      memory.take(entry.session, -entry.bytes);
      owners.remove(entry.session);
    }
    entries.delete(id);
    onChange(id);
  };
  const admit = (session: Session, bytes: number): SessionAdmission => {
    if (owners.areFull(session)) return 'client full';
    const full = memory.whoIsFull(session, bytes);
    if (full !== undefined) return `${full} full`;
    return entries.size >= limit && living().length >= limit ? 'store full' : 'added';
  };
  return {
    create(session) {
      const bytes = sessionBytes(session);
      const admission = admit(session, bytes);
      if (admission === 'added') put(session, now(), bytes);
      return admission;
    },
    read(id) {
      const entry = use(id);
      if (entry !== undefined) onChange(id);
      return entry?.session;
    },
    update(id, change) {
      const entry = use(id);
      if (entry === undefined) return undefined;
      const { session, result } = change(entry.session);
      if (session !== entry.session) replace(entry, session);
      onChange(id);
      return result;
    },
    delete(id) {
      const isThere = use(id) !== undefined;
      if (isThere) evict(id);
      return isThere;
    },
    list(player, { limit: most, after }) {
      // In order already, but for sessions that were taken over from another server.
      const own = livingOf(player).sort((a, b) => a.session.createdAt - b.session.createdAt);
      const start = after === undefined ? 0 : own.findIndex(({ session }) => session.id === after) + 1;
      if (after !== undefined && start === 0) return undefined;
      const page = own.slice(start, start + most).map(({ session, lastUsed }) => ({ session, lastUsed }));
      const next = start + most < own.length ? page.at(-1)?.session.id : undefined;
      return next === undefined ? { sessions: page } : { sessions: page, next };
    },
    count: () => living().length,
    async forget(player) {
      for (const id of owners.idsOf(player)) evict(id);
    },
    flush: async () => undefined,
    unsavedOf: (player) => owners.idsOf(player).flatMap((id) => entries.get(id)?.session.unsaved ?? []),
    peek: (id) => entries.get(id),
    restore: ({ session, lastUsed }) => put(session, lastUsed, sessionBytes(session)),
    ids: () => entries.keys(),
    expired: () => {
      const time = ticks();
      return [...entries.values()].filter((entry) => !isLiving(entry, time)).map(({ session }) => session);
    },
    evict,
    bytes: () => memory.taken(),
  };
}
