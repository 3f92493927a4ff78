import type { StoredSession } from '../ports.ts';
import type { Session } from '../session.ts';

/** A session in memory. */
export interface SessionEntry {
  session: Session;
  /** Milliseconds since 1970. */
  lastUsed: number;
  /** The same by the monotonic clock. */
  usedAt: number;
  bytes: number;
}

export interface SessionClocks {
  /** Milliseconds after which an unused session expires. */
  readonly ttl: number;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Monotonic clock, in milliseconds: setting the date must not expire sessions. Default: `performance.now`. */
  readonly ticks?: () => number;
}

/** Sessions by id; expired ones stay until they are deleted. */
export interface SessionEntries {
  get(id: string): SessionEntry | undefined;
  /** Renews a session that has not expired, and returns its entry. */
  use(id: string): SessionEntry | undefined;
  put(stored: StoredSession, bytes: number): void;
  delete(id: string): void;
  size(): number;
  ids(): IterableIterator<string>;
  /** Those of these sessions that have not expired. */
  living(ids: Iterable<string>): SessionEntry[];
  /** How many of all have not expired. */
  countLiving(): number;
  expired(): SessionEntry[];
  /** The expired ones without unsaved rounds, which the caller deletes. Costs nothing while none can have expired. */
  takeIdle(): SessionEntry[];
}

export function createSessionEntries({
  ttl,
  now = Date.now,
  ticks = () => performance.now(),
}: SessionClocks): SessionEntries {
  const entries = new Map<string, SessionEntry>();
  /** No session that was living at the last search expires before this time. */
  let nextExpiry = Number.POSITIVE_INFINITY;
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
      // For sessions of an earlier process there is only the date; one in the future is from before the date was set back.
      const unused = Math.max(0, now() - lastUsed);
      const usedAt = ticks() - unused;
      nextExpiry = Math.min(nextExpiry, usedAt + ttl);
      entries.set(session.id, { session, lastUsed, usedAt, bytes });
    },
    delete: (id) => void entries.delete(id),
    size: () => entries.size,
    ids: () => entries.keys(),
    living: (ids) => all(ids, true),
    countLiving() {
      // Strangers may ask as often as their limits allow: no lists of ten thousand sessions for a number.
      const time = ticks();
      let count = 0;
      for (const { usedAt } of entries.values()) if (time - usedAt < ttl) count += 1;
      return count;
    },
    expired: () => all(entries.keys(), false),
    takeIdle() {
      const time = ticks();
      if (time < nextExpiry) return [];
      const living = all(entries.keys(), true);
      nextExpiry = living.reduce((earliest, { usedAt }) => Math.min(earliest, usedAt + ttl), time + ttl);
      return all(entries.keys(), false).filter(({ session }) => session.unsaved.length === 0);
    },
  };
}
