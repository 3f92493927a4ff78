import type { Socket } from 'node:net';
import { type Connection, isIdle, isOwedAnAnswer, newConnection } from './connection.ts';

/** How many connections one client may hold. */
export interface ConnectionCap {
  readonly client: string;
  readonly limit: number;
}

export interface ConnectionTableOptions {
  /** Connections open at once. */
  readonly maxConnections: number;
  /** The cap that a connection counts towards; undefined: none. */
  readonly capOf: (socket: Socket) => ConnectionCap | undefined;
}

interface Entry extends Connection {
  readonly cap: ConnectionCap | undefined;
  /** When it was last seen at work, in milliseconds. */
  activeAt: number;
  older: Entry;
  newer: Entry;
}

/** The open connections, in the order of their last activity. */
export interface ConnectionTable {
  /** Makes room where a bound is reached, and takes the socket in; where nobody can go, it closes the socket instead. */
  admit(socket: Socket, now: number): void;
  of(socket: Socket): Connection | undefined;
  /** Notes that the connection is at work. */
  touch(connection: Connection, now: number): void;
  remove(socket: Socket): void;
  /** Closes connections idle since before `since`, even if bytes that form no request arrived meanwhile. */
  closeIdleSince(since: number, now: number): void;
  all(): Iterable<Connection>;
}

export function createConnectionTable({ maxConnections, capOf }: ConnectionTableOptions): ConnectionTable {
  const entries = new Map<Socket, Entry>();
  const byClient = new Map<string, Set<Entry>>();
  /** The ends of the ring: its `newer` is the connection longest without activity. */
  const ends = {} as Entry;
  ends.older = ends;
  ends.newer = ends;

  function makeRoom(cap: ConnectionCap | undefined): boolean {
    const own = cap && byClient.get(cap.client);
    if (cap !== undefined && own !== undefined && own.size >= cap.limit) return give(longestInactive(own));
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
    const own = entry.cap && byClient.get(entry.cap.client);
    own?.delete(entry);
    if (own?.size === 0) byClient.delete(entry.cap?.client ?? '');
  }

  return {
    admit(socket, now) {
      const cap = capOf(socket);
      if (!makeRoom(cap)) return void socket.destroy();
      const entry: Entry = { ...newConnection(socket), cap, activeAt: now, older: ends, newer: ends };
      entries.set(socket, entry);
      linkAsNewest(entry, ends);
      if (cap !== undefined) byClient.set(cap.client, (byClient.get(cap.client) ?? new Set()).add(entry));
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
        if (isIdle(entry)) give(entry);
        else this.touch(entry, now);
      }
    },
    all: () => entries.values(),
  };
}

/** A request that is whole has a right to its answer; anybody else may have to go. */
function firstThatMayGo(entries: Iterable<Entry>): Entry | undefined {
  for (const entry of entries) if (!isOwedAnAnswer(entry)) return entry;
  return undefined;
}

function longestInactive(entries: Iterable<Entry>): Entry | undefined {
  return firstThatMayGo([...entries].sort((one, other) => one.activeAt - other.activeAt));
}

/** From the connection longest without activity on; the one just given may be taken out or moved. */
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
