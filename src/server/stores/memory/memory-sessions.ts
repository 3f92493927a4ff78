import type { PlayerId } from '../player.ts';
import {
  type PageRequest,
  type SessionAdmission,
  SessionMemoryError,
  type SessionPage,
  type Sessions,
  type StoredSession,
} from '../ports.ts';
import type { Session } from '../session.ts';
import { sessionBytes, startBytes } from '../session-size.ts';
import type { UnsavedRound } from '../unsaved-rounds.ts';
import {
  createSessionEntries,
  type SessionClocks,
  type SessionEntries,
  type SessionEntry,
} from './session-entries.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import { createSessionOwners, type SessionOwners } from './session-owners.ts';

export interface MemorySessionsOptions extends SessionClocks {
  /** Most sessions. */
  readonly limit: number;
  /** Most memory of all sessions together, in bytes. Default: no limit. */
  readonly memory?: number;
  /** Most memory of the sessions of one client, or of one block, in bytes. Default: no limit. Does not apply to the empty client. */
  readonly memoryPerClient?: number | undefined;
  /** Most sessions of one player, and of one client; of one block, sixteen times as many. Undefined: no limit. */
  readonly limitPerClient?: number | undefined;
  /** Called with the id of every session that is new, used, changed or gone. */
  readonly onChange?: (id: string) => void;
}

/** The port, and methods only for the owner of this store. */
export interface MemorySessions extends Sessions {
  /** A session, without renewing it; even one that has expired but was not evicted yet. */
  peek(id: string): StoredSession | undefined;
  /** Adds a session of an earlier process, regardless of the limits. */
  restore(stored: StoredSession): void;
  /** Finished rounds of a player that are not saved yet. */
  unsavedOf(player: PlayerId): readonly UnsavedRound[];
  /** The ids of all sessions, including expired ones. */
  ids(): IterableIterator<string>;
  expired(): Session[];
  /** Removes expired sessions without unsaved rounds, as any method does that would otherwise refuse something. */
  evictIdle(): void;
  /** Removes a session, expired or not. */
  evict(id: string): void;
  /** Bytes that all sessions take, including expired ones. */
  bytes(): number;
}

/** The sessions, and everything derived from them. */
interface Keeping {
  readonly entries: SessionEntries;
  readonly owners: SessionOwners;
  readonly memory: SessionMemory;
  readonly limit: number;
  readonly onChange: (id: string) => void;
}

/** Sessions in the memory of this process. */
export function createMemorySessions(options: MemorySessionsOptions): MemorySessions {
  const keeping = startKeeping(options);
  const { entries, owners, memory, onChange } = keeping;
  const { now = Date.now } = options;
  return {
    create(session) {
      const bytes = sessionBytes(session);
      const admission = admit(keeping, session, bytes);
      if (admission === 'added') put(keeping, { session, lastUsed: now() }, bytes);
      return admission;
    },
    read(id) {
      const entry = entries.use(id);
      if (entry !== undefined) onChange(id);
      return entry?.session;
    },
    update(id, change) {
      const entry = entries.use(id);
      if (entry === undefined) return undefined;
      const { session, result } = change(entry.session);
      if (session !== entry.session) replace(keeping, entry, session);
      onChange(id);
      return result;
    },
    expectRoom(id, text) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      expectGrowth(keeping, entry.session, startBytes(entry.session, text) - entry.bytes);
    },
    delete(id) {
      const isThere = entries.use(id) !== undefined;
      if (isThere) evict(keeping, id);
      return isThere;
    },
    list: (player, page) => toPage(entries.living(owners.idsOf(player)), page),
    count: () => entries.countLiving(),
    async forget(player) {
      for (const id of owners.idsOf(player)) evict(keeping, id);
    },
    flush: async () => undefined,
    unsavedOf: (player) => owners.idsOf(player).flatMap((id) => entries.get(id)?.session.unsaved ?? []),
    peek: entries.get,
    restore: (stored) => put(keeping, stored, sessionBytes(stored.session)),
    ids: entries.ids,
    expired: () => entries.expired().map(({ session }) => session),
    evictIdle: () => void evictIdle(keeping),
    evict: (id) => evict(keeping, id),
    bytes: memory.taken,
  };
}

const infinite = Number.POSITIVE_INFINITY;

function startKeeping(options: MemorySessionsOptions): Keeping {
  const { limit, onChange = () => undefined } = options;
  const entries = createSessionEntries(options);
  const owners = createSessionOwners(
    options.limitPerClient ?? infinite,
    (id) => entries.living([id]).length > 0,
  );
  const memory = createSessionMemory({
    all: options.memory ?? infinite,
    perClient: options.memoryPerClient ?? infinite,
  });
  return { entries, owners, memory, limit, onChange };
}

function admit(keeping: Keeping, session: Session, bytes: number): SessionAdmission {
  const admission = judge(keeping, session, bytes);
  return admission !== 'added' && evictIdle(keeping) ? judge(keeping, session, bytes) : admission;
}

function judge(
  { entries, owners, memory, limit }: Keeping,
  session: Session,
  bytes: number,
): SessionAdmission {
  if (owners.areFull(session)) return 'client full';
  const full = memory.whoIsFull(session, bytes);
  if (full !== undefined) return `${full} full`;
  return entries.size() >= limit && entries.countLiving() >= limit ? 'store full' : 'added';
}

function put({ entries, owners, memory, onChange }: Keeping, stored: StoredSession, bytes: number): void {
  const { session } = stored;
  owners.add(session);
  memory.take(session, bytes - (entries.get(session.id)?.bytes ?? 0));
  entries.put(stored, bytes);
  onChange(session.id);
}

/** A session that has grown must fit; one that has shrunk may stay even if there is too little room. */
function replace(keeping: Keeping, entry: SessionEntry, session: Session): void {
  const bytes = sessionBytes(session);
  const growth = bytes - entry.bytes;
  expectGrowth(keeping, session, growth);
  keeping.memory.take(session, growth);
  entry.bytes = bytes;
  entry.session = session;
}

function expectGrowth(keeping: Keeping, session: Session, growth: number): void {
  const whoIsFull = () => (growth > 0 ? keeping.memory.whoIsFull(session, growth) : undefined);
  let full = whoIsFull();
  if (full !== undefined && evictIdle(keeping)) full = whoIsFull();
  if (full !== undefined) throw new SessionMemoryError(full);
}

/** Returns whether there were any. */
function evictIdle(keeping: Keeping): boolean {
  const idle = keeping.entries.takeIdle();
  for (const { session } of idle) evict(keeping, session.id);
  return idle.length > 0;
}

function evict({ entries, owners, memory, onChange }: Keeping, id: string): void {
  const entry = entries.get(id);
  if (entry !== undefined) {
    memory.take(entry.session, -entry.bytes);
    owners.remove(entry.session);
  }
  entries.delete(id);
  onChange(id);
}

function toPage(own: readonly SessionEntry[], { limit, after }: PageRequest): SessionPage | undefined {
  // They are already in order, except for sessions taken over from another server.
  const all = own.toSorted((a, b) => a.session.createdAt - b.session.createdAt);
  const start = after === undefined ? 0 : all.findIndex(({ session }) => session.id === after) + 1;
  if (after !== undefined && start === 0) return undefined;
  const sessions = all.slice(start, start + limit).map(({ session, lastUsed }) => ({ session, lastUsed }));
  const next = start + limit < all.length ? sessions.at(-1)?.session.id : undefined;
  return next === undefined ? { sessions } : { sessions, next };
}
