import type { Connection } from './connection.ts';

/**
 * Connections that wait. They are taken from each owner in turn, so that nobody waits behind all the connections of somebody
 * else, and before that from each level of reputation in turn: somebody who has been here for hundreds of requests does not wait
 * behind hundreds of owners who came a moment ago.
 */
export interface FairQueue {
  readonly size: number;
  add(connection: Connection): void;
  /** Returns whether the connection was waiting. */
  delete(connection: Connection): boolean;
  /** Removes the next connection and returns it. */
  take(): Connection | undefined;
}

type Owners = Map<string | Connection, Set<Connection>>;

export function createFairQueue(): FairQueue {
  /** By level and owner, both in the order of their turns; a connection that counts towards nobody is by itself. */
  const waiting = new Map<number, Owners>();
  /** The level under which each one waits. */
  const levels = new Map<Connection, number>();

  function remove(connection: Connection): boolean {
    const level = levels.get(connection);
    if (level === undefined) return false;
    levels.delete(connection);
    const owners = waiting.get(level) as Owners;
    const key = connection.owner ?? connection;
    const own = owners.get(key);
    own?.delete(connection);
    if (own?.size === 0) owners.delete(key);
    if (owners.size === 0) waiting.delete(level);
    return true;
  }

  return {
    get size() {
      return levels.size;
    },
    add(connection) {
      if (levels.has(connection)) return;
      const level = levelOf(connection);
      levels.set(connection, level);
      const owners: Owners = waiting.get(level) ?? new Map();
      waiting.set(level, owners);
      const key = connection.owner ?? connection;
      owners.set(key, (owners.get(key) ?? new Set()).add(connection));
    },
    delete: remove,
    take() {
      for (const [level, owners] of waiting) {
        for (const [key, own] of owners) {
          for (const next of own) {
            remove(next);
            // The others of this owner, and of this level, wait until all other owners and levels have had a turn.
            if (owners.delete(key)) owners.set(key, own);
            if (waiting.delete(level)) waiting.set(level, owners);
            return next;
          }
        }
      }
      return undefined;
    },
  };
}

/** 0 without quiet requests, then one more each time their number doubles. */
function levelOf({ quietRequests }: Connection): number {
  return 32 - Math.clz32(quietRequests);
}
