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

/** Entries that take turns. */
interface Cycle<Key, Value> {
  readonly entries: Map<Key, Value>;
  /** The value of the next entry; after the last comes the first. */
  next(): Value | undefined;
}

type Owners = Cycle<string | Connection, Cycle<Connection, Connection>>;

export function createFairQueue(): FairQueue {
  /** By level and owner; a connection that counts towards nobody is by itself. */
  const waiting: Cycle<number, Owners> = createCycle();
  /** The level under which each one waits. */
  const levels = new Map<Connection, number>();

  function remove(connection: Connection): boolean {
    const level = levels.get(connection);
    if (level === undefined) return false;
    levels.delete(connection);
    const owners = waiting.entries.get(level) as Owners;
    const key = connection.owner ?? connection;
    const own = owners.entries.get(key);
    own?.entries.delete(connection);
    if (own?.entries.size === 0) owners.entries.delete(key);
    if (owners.entries.size === 0) waiting.entries.delete(level);
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
      const owners = getOrAdd(waiting, level);
      getOrAdd(owners, connection.owner ?? connection).entries.set(connection, connection);
    },
    delete: remove,
    take() {
      const connection = waiting.next()?.next()?.next();
      if (connection !== undefined) remove(connection);
      return connection;
    },
  };
}

/** Goes on with one iterator: a new one at each turn would walk all entries deleted so far, up to as many as there are. */
function createCycle<Key, Value>(): Cycle<Key, Value> {
  const entries = new Map<Key, Value>();
  let turns = entries.values();
  return {
    entries,
    next() {
      const { done, value } = turns.next();
      if (done !== true) return value;
      turns = entries.values();
      return turns.next().value;
    },
  };
}

function getOrAdd<Key, OtherKey, Value>(
  { entries }: Cycle<Key, Cycle<OtherKey, Value>>,
  key: Key,
): Cycle<OtherKey, Value> {
  const known = entries.get(key);
  if (known !== undefined) return known;
  const added = createCycle<OtherKey, Value>();
  entries.set(key, added);
  return added;
}

/** 0 without quiet requests, then one more each time their number doubles. */
function levelOf({ quietRequests }: Connection): number {
  return 32 - Math.clz32(quietRequests);
}
