import type { Connection } from './connection.ts';

/** Connections that wait, taken from each owner in turn, so that nobody waits behind all the connections of somebody else. */
export interface FairQueue {
  readonly size: number;
  add(connection: Connection): void;
  /** Returns whether the connection was waiting. */
  delete(connection: Connection): boolean;
  /** Removes the next connection and returns it. */
  take(): Connection | undefined;
}

export function createFairQueue(): FairQueue {
  /** By owner, in the order of their turns; a connection that counts towards nobody is by itself. */
  const waiting = new Map<string | Connection, Set<Connection>>();
  let size = 0;

  function remove(connection: Connection): boolean {
    const key = connection.owner ?? connection;
    const own = waiting.get(key);
    if (own === undefined || !own.delete(connection)) return false;
    if (own.size === 0) waiting.delete(key);
    size -= 1;
    return true;
  }

  return {
    get size() {
      return size;
    },
    add(connection) {
      const key = connection.owner ?? connection;
      const own = waiting.get(key) ?? new Set();
      if (!own.has(connection)) size += 1;
      waiting.set(key, own.add(connection));
    },
    delete: remove,
    take() {
      for (const [key, own] of waiting) {
        for (const next of own) {
          remove(next);
          // The other connections of this owner wait until all other owners have had a turn.
          if (waiting.delete(key)) waiting.set(key, own);
          return next;
        }
      }
      return undefined;
    },
  };
}
