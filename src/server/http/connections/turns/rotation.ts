import type { Arrivals } from './arrivals.ts';
import type { Connection } from './connection.ts';
import { createCrowd, workOf } from './crowd.ts';
import { createFairQueue } from './fair-queue.ts';
import type { LoopShare } from './loop-share.ts';
import { resumeReading, stopReading } from './reading.ts';

/** How long a client that brought much at once has its new connections wait, in milliseconds. */
const remembered = 10 * 60_000;
/** Most such clients that are remembered without a connection. */
const mostRemembered = 10_000;
/** Turns of the event loop in which a new connection may be read in any case: only one is accepted per turn. */
const youngFor = 3;

/**
 * Reads the connections of clients that bring much at once in turns. node:http parses up to 64 KiB in one go, which may be
 * hundreds of requests or thousands of chunks, while the event loop accepts only one new connection per turn. So of all these
 * connections only one is read at a time, those of different clients alternately, and in between all new connections are accepted and
 * everybody else is read.
 */
export interface Rotation {
  /** A new connection: if its client brought much at once lately, it waits for its turn. */
  admit(connection: Connection): void;
  /** This connection has brought much at once: it waits for its next turn, and so do all others of its client. */
  hold(connection: Connection): void;
  /** Notes a request or pieces of one. */
  note(connection: Connection, work: number): void;
  /** The connection is closed. */
  forget(connection: Connection): void;
}

export function createRotation(arrivals: Arrivals, share: LoopShare): Rotation {
  /** By owner. */
  const open = new Map<string, Set<Connection>>();
  /** When each owner brought much at once, the latest last. */
  const heavy = new Map<string, number>();
  /** Connections that wait for their turn. */
  const queue = createFairQueue();
  /** Connections of such clients that have had their turn, and are read like any other until one of them brings much again. */
  const loose = new Set<Connection>();
  /** Those that have brought little so far, and by themselves, so that they do not wait for strangers. */
  const known = createCrowd(arrivals, share);
  const strangers = createCrowd(arrivals, share);
  const crowdOf = ({ isKnown }: Connection) => (isKnown ? known : strangers);
  let isTurning = false;
  /** The connection whose turn it is: its work has been waited for. */
  let current: Connection | undefined;

  function remember(owner: string): void {
    heavy.delete(owner);
    heavy.set(owner, performance.now());
    const [oldest] = heavy.size > mostRemembered ? heavy.keys() : [];
    if (oldest !== undefined) heavy.delete(oldest);
  }

  function isHeavy(owner: string): boolean {
    const since = heavy.get(owner);
    return since !== undefined && performance.now() - since < remembered;
  }

  function enqueue(connection: Connection): void {
    queue.add(connection);
    stopReading(connection, 'turn');
    crowdOf(connection).leave(connection);
    loose.delete(connection);
    if (!isTurning) arrivals.whenOver(readNext);
    isTurning = true;
  }

  function joinLater(connection: Connection, turns: number): void {
    if (turns > 0) setImmediate(joinLater, connection, turns - 1);
    else if (!connection.socket.destroyed && !connection.stops.turn) crowdOf(connection).join(connection);
  }

  function getToKnow(connection: Connection): void {
    if (connection.isKnown || connection.stops.turn) return;
    const isMember = strangers.leave(connection);
    connection.isKnown = true;
    if (isMember) known.join(connection);
  }

  function holdLoose(): void {
    for (const other of loose) if (other !== current) enqueue(other);
  }

  function readNext(): void {
    current = queue.take();
    isTurning = current !== undefined;
    if (current === undefined) return;
    arrivals.whenOver(readNext);
    crowdOf(current).join(current);
    if (current.owner !== undefined) loose.add(current);
    resumeReading(current, 'turn');
  }

  return {
    admit(connection) {
      joinLater(connection, youngFor);
      const { owner } = connection;
      if (owner === undefined) return;
      open.set(owner, (open.get(owner) ?? new Set()).add(connection));
      // node:http resumes a new socket in the next tick, which would undo an earlier pause.
      if (isHeavy(owner)) process.nextTick(() => !connection.socket.destroyed && enqueue(connection));
    },
    hold(connection) {
      connection.quietRequests = 0;
      // If this was expected of it, those who bring little need not wait for it.
      if (loose.has(connection)) holdLoose();
      else if (!connection.stops.turn) crowdOf(connection).note(workOf.surprise);
      const { owner } = connection;
      if (owner !== undefined) {
        remember(owner);
        for (const other of open.get(owner) ?? []) if (other !== connection) enqueue(other);
      }
      enqueue(connection);
    },
    note(connection, work) {
      if (connection === current || connection.stops.turn) return;
      if (connection.isKnown) {
        connection.quietRequests += 1;
        known.note(work);
        return;
      }
      strangers.note(work);
      // Not before the turn is over: it may still bring much.
      setImmediate(getToKnow, connection);
    },
    forget(connection) {
      crowdOf(connection).leave(connection);
      loose.delete(connection);
      queue.delete(connection);
      const { owner } = connection;
      const own = owner === undefined ? undefined : open.get(owner);
      if (owner !== undefined && own?.delete(connection) && own.size === 0) open.delete(owner);
    },
  };
}
