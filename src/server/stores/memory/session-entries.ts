import type { StoredSession } from '../ports.ts';
import type { Session } from '../session.ts';

/** A session in memory. */
export interface SessionEntry {
  session: Session;
  /** Milliseconds since 1970. */
  lastUsed: number;
  /** The same on the clock that never jumps. */
  usedAt: number;
  bytes: number;
}

export interface SessionClocks {
  /** Milliseconds after which an unused session is gone. */
  readonly ttl: number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** A clock that never jumps, in milliseconds: a computer whose date is set must not lose its sessions. Default: `performance.now`. */
  readonly ticks?: () => number;
}

/** Sessions by id, and which of them are living; those that have expired stay until they are deleted. */
export interface SessionEntries {
  get(id: string): SessionEntry | undefined;
  /** The entry of a living session, renewed. */
  use(id: string): SessionEntry | undefined;
  put(stored: StoredSession, bytes: number): void;
  delete(id: string): void;
  size(): number;
  ids(): IterableIterator<string>;
  /** Those that live, of all or of these. */
  living(ids?: Iterable<string>): SessionEntry[];
  expired(): SessionEntry[];
}

export function createSessionEntries({
  ttl,
  now = Date.now,
  ticks = () => performance.now(),
}: SessionClocks): SessionEntries {
  const entries = new Map<string, SessionEntry>();
  const all = (ids: Iterable<string>, isLiving: boolean) => {
    const time = ticks();
    return Array.from(ids, (id) => entries.get(id) as SessionEntry).filter(
      ({ usedAt }) => time - usedAt < ttl === isLiving,
    );
  };
  return {
    get: (id) => entries.get(id),
    use(id) {
      const time = ticks();
      const entry = entries.get(id);
      if (entry === undefined || time - entry.usedAt >= ttl) return undefined;
      entry.usedAt = time;
      entry.lastUsed = now();
      return entry;
    },
    put({ session, lastUsed }, bytes) {
      // What happened in an earlier life only the dates can tell; one in the future was written before the date was set back.
      const unused = Math.max(0, now() - lastUsed);
      entries.set(session.id, { session, lastUsed, usedAt: ticks() - unused, bytes });
    },
    delete: (id) => void entries.delete(id),
    size: () => entries.size,
    ids: () => entries.keys(),
    living: (ids = entries.keys()) => all(ids, true),
    expired: () => all(entries.keys(), false),
  };
}
