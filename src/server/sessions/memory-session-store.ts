import type { Session } from './session.ts';
import type { SessionStore, StoredSession } from './session-store.ts';

export interface MemorySessionStoreOptions {
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Sessions at once. */
  readonly limit: number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** A clock that never jumps, in milliseconds: a computer whose date is set must not lose its sessions. Default: `performance.now`. */
  readonly ticks?: () => number;
  /** Told of every session that is new, used, changed or gone. */
  readonly onChange?: (id: string) => void;
}

/** The port, and what only the keeper of this store may do. */
export interface MemorySessionStore extends SessionStore {
  /** A session as it stands, without renewing it; also one whose time is over and that was not evicted yet. */
  peek(id: string): StoredSession | undefined;
  /** Takes in a session from an earlier life, whatever the limit. */
  restore(stored: StoredSession): void;
  /** The ids of all sessions, expired ones included. */
  ids(): IterableIterator<string>;
  expired(): Session[];
  /** Removes a session, expired or not. */
  evict(id: string): void;
}

interface Entry {
  session: Session;
  lastUsed: number;
  /** The same on the clock that never jumps. */
  usedAt: number;
}

/** Sessions in the memory of this process. Every method answers at once. */
export function createMemorySessionStore(options: MemorySessionStoreOptions): MemorySessionStore {
  const { ttl, limit, now = Date.now, ticks = () => performance.now(), onChange = () => undefined } = options;
  const entries = new Map<string, Entry>();

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
    return [...entries.values()].filter(({ usedAt }) => time - usedAt < ttl);
  };
  const put = (session: Session, lastUsed: number) => {
    // What happened in an earlier life only the dates can tell; one in the future was written before the date was set back.
    const unused = Math.max(0, now() - lastUsed);
    entries.set(session.id, { session, lastUsed, usedAt: ticks() - unused });
    onChange(session.id);
  };
  const evict = (id: string) => {
    entries.delete(id);
    onChange(id);
  };
  return {
    create(session) {
      if (entries.size >= limit && living().length >= limit) return false;
      put(session, now());
      return true;
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
      entry.session = session;
      onChange(id);
      return result;
    },
    delete(id) {
      const isThere = use(id) !== undefined;
      if (isThere) evict(id);
      return isThere;
    },
    list: () =>
      living()
        .map(({ session, lastUsed }) => ({ session, lastUsed }))
        .sort((a, b) => a.session.createdAt - b.session.createdAt),
    count: () => living().length,
    peek: (id) => entries.get(id),
    restore: ({ session, lastUsed }) => put(session, lastUsed),
    ids: () => entries.keys(),
    expired: () => {
      const time = ticks();
      return [...entries.values()].filter(({ usedAt }) => time - usedAt >= ttl).map(({ session }) => session);
    },
    evict,
  };
}
