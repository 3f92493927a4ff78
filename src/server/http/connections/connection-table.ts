import type { Socket } from 'node:net';
import { clientsInBlock, toBlock } from '../../../kit/client-block.ts';
import { type Connection, isHeldBack, isIdle, isOwedAnAnswer, newConnection } from './turns/connection.ts';

/** The number of connections that one client may have. */
export interface ConnectionCap {
  readonly client: string;
  readonly limit: number;
}

export interface ConnectionTableOptions {
  /** Most open connections. */
  readonly maxConnections: number;
  /** The cap that a connection counts towards; undefined: none. */
  readonly capOf: (socket: Socket) => ConnectionCap | undefined;
}

interface Entry extends Connection {
  /** What it counts towards: its client, and the IPv6 block of that. */
  readonly groups: readonly string[];
  /** Time of its last activity, in milliseconds. */
  activeAt: number;
  older: Entry;
  newer: Entry;
}

/** The open connections, in order of their last activity. */
export interface ConnectionTable {
  /** Adds a socket. If a bound is reached, closes another connection, or the socket itself if no other may be closed. */
  admit(socket: Socket, now: number): void;
  of(socket: Socket): Connection | undefined;
  /** Notes activity of a connection. */
  touch(connection: Connection, now: number): void;
  remove(socket: Socket): void;
  /** Closes connections that have been idle since before `since`, even if bytes arrived that form no request. */
  closeIdleSince(since: number, now: number): void;
  all(): Iterable<Connection>;
}

export function createConnectionTable({ maxConnections, capOf }: ConnectionTableOptions): ConnectionTable {
  const entries = new Map<Socket, Entry>();
  /** Of each client, and of each IPv6 block. */
  const byGroup = new Map<string, Set<Entry>>();
  /** Sentinel of the ring: its `newer` is the connection inactive for longest. */
  const ends = {} as Entry;
  ends.older = ends;
  ends.newer = ends;

  function makeRoom(cap: ConnectionCap | undefined): boolean {
    for (const { key, limit } of groupsOf(cap)) {
      const own = byGroup.get(key);
      if (own !== undefined && own.size >= limit) return give(longestInactive(own));
    }
    return entries.size < maxConnections || give(firstThatMayGo(inOrder(ends)));
  }

  function give(entry: Entry | undefined): boolean {
    if (entry === undefined) return false;
    remove(entry);
    entry.socket.destroy();
    return true;
  }

  function remove(entry: Entry): void {
    if (!entries.delete(entry.socket)) return;
    unlink(entry);
    entry.newer = entry;
    for (const key of entry.groups) {
      const own = byGroup.get(key);
      own?.delete(entry);
      if (own?.size === 0) byGroup.delete(key);
    }
  }

  return {
    admit(socket, now) {
      const cap = capOf(socket);
      if (!makeRoom(cap)) return void socket.destroy();
      const groups = groupsOf(cap).map(({ key }) => key);
      const entry: Entry = {
        ...newConnection(socket, cap?.client),
        ...{ groups, activeAt: now, older: ends, newer: ends },
      };
      entries.set(socket, entry);
      linkAsNewest(entry, ends);
      for (const key of groups) byGroup.set(key, (byGroup.get(key) ?? new Set()).add(entry));
    },
    of: (socket) => entries.get(socket),
    touch(connection, now) {
      const entry = connection as Entry;
      entry.activeAt = now;
      const isGone = entry.newer === entry;
      if (isGone || ends.older === entry) return;
      unlink(entry);
      linkAsNewest(entry, ends);
    },
    remove(socket) {
      const entry = entries.get(socket);
      if (entry !== undefined) remove(entry);
    },
    closeIdleSince(since, now) {
      for (const entry of inOrder(ends)) {
        if (entry.activeAt > since) return;
        if (isIdle(entry) && !isHeldBack(entry)) give(entry);
        else this.touch(entry, now);
      }
    },
    all: () => entries.values(),
  };
}

/** A connection that is owed an answer to a complete request stays; any other may be closed. */
function firstThatMayGo(entries: Iterable<Entry>): Entry | undefined {
  for (const entry of entries) if (!isOwedAnAnswer(entry)) return entry;
  return undefined;
}

function longestInactive(entries: Iterable<Entry>): Entry | undefined {
  let longest: Entry | undefined;
  for (const entry of entries) {
    if ((longest === undefined || entry.activeAt < longest.activeAt) && !isOwedAnAnswer(entry))
      longest = entry;
  }
  return longest;
}

interface Group {
  readonly key: string;
  /** Most connections. */
  readonly limit: number;
}

function groupsOf(cap: ConnectionCap | undefined): readonly Group[] {
  if (cap === undefined) return [];
  const { client, limit } = cap;
  const block = toBlock(client);
  const own = { key: client, limit };
  return block === undefined ? [own] : [own, { key: block, limit: clientsInBlock * limit }];
}

/** Starts with the connection that has been inactive for longest; the one just yielded may be removed or moved. */
function* inOrder(ends: Entry): Iterable<Entry> {
  for (let entry = ends.newer; entry !== ends; ) {
    const { newer } = entry;
    yield entry;
    entry = newer;
  }
}

function unlink({ older, newer }: Entry): void {
  older.newer = newer;
  newer.older = older;
}

function linkAsNewest(entry: Entry, ends: Entry): void {
  entry.older = ends.older;
  entry.newer = ends;
  ends.older.newer = entry;
  ends.older = entry;
}
