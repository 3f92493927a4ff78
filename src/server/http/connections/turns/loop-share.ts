import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection, Start } from './connection.ts';

/**
 * Requests handled in one turn of the event loop. A turn accepts only one new connection (libuv since 1.45): if it handled
 * hundreds of requests, a new client would wait for seconds behind a burst of connections.
 */
const mostInRound = 16;
/** The same in a turn that follows one with a new connection: more connections may be waiting. */
const mostDuringArrivals = 2;

/**
 * Requests that may wait before no more are read, if their connections can be told to wait: each may hold tens of kilobytes that
 * count towards nothing before it is handled.
 */
const mostWaiting = 2_048;

export interface LoopShare {
  /** Handles a request now, or in one of the next turns of the event loop: of each owner in turn. */
  begin(start: Start, connection: Connection, request: IncomingMessage, response: ServerResponse): void;
  /** Called for each new connection. */
  noteArrival(): void;
  /** Whether so many requests wait that no more should be read. */
  isFull(): boolean;
}

type Waiting = Parameters<LoopShare['begin']>;

/** The owner of connections that count towards nobody: their requests are handled in the order of their arrival. */
const nobody = '';

export function createLoopShare(): LoopShare {
  /**
   * By owner, the one whose turn it is first. (With a `FairQueue`, which has an entry for each connection, the garbage collector took so
   * much time that a server answered a third fewer requests.)
   */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let left = mostInRound;
  let isScheduled = false;
  let hasArrivals = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(beginRound);
  }

  function beginRound(): void {
    isScheduled = false;
    left = hasArrivals ? mostDuringArrivals : mostInRound;
    if (hasArrivals || count > 0) schedule();
    hasArrivals = false;
    for (; left > 0 && count > 0; left -= 1) {
      const [start, connection, request, response] = takeNext();
      if (!connection.socket.destroyed) start(connection, request, response);
    }
  }

  function add(next: Waiting): void {
    const owner = next[1].owner ?? nobody;
    const own = waiting.get(owner);
    if (own === undefined) waiting.set(owner, [next]);
    else own.push(next);
    count += 1;
  }

  function takeNext(): Waiting {
    const [owner, own] = waiting.entries().next().value as [string, Waiting[]];
    const next = own.shift() as Waiting;
    count -= 1;
    if (own.length > 0 && waiting.size === 1) return next;
    waiting.delete(owner);
    if (own.length > 0) waiting.set(owner, own);
    return next;
  }

  return {
    begin(start, connection, request, response) {
      schedule();
      if (left === 0) {
        add([start, connection, request, response]);
        return;
      }
      left -= 1;
      start(connection, request, response);
    },
    noteArrival() {
      hasArrivals = true;
      schedule();
    },
    isFull: () => count >= mostWaiting,
  };
}
