import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection, Start } from './connection.ts';
import { createFairQueue } from './fair-queue.ts';

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

export function createLoopShare(): LoopShare {
  const waiting = createFairQueue();
  /** Of the connections that wait; each has only one, and more of its requests wait for the answer to that. */
  const requests = new Map<Connection, readonly [Start, IncomingMessage, ServerResponse]>();
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
    if (hasArrivals || waiting.size > 0) schedule();
    hasArrivals = false;
    for (; left > 0 && waiting.size > 0; left -= 1) beginNext();
  }

  function beginNext(): void {
    const connection = waiting.take() as Connection;
    const [start, request, response] = requests.get(connection) as [Start, IncomingMessage, ServerResponse];
    requests.delete(connection);
    if (!connection.socket.destroyed) start(connection, request, response);
  }

  return {
    begin(start, connection, request, response) {
      schedule();
      if (left === 0) {
        waiting.add(connection);
        requests.set(connection, [start, request, response]);
        return;
      }
      left -= 1;
      start(connection, request, response);
    },
    noteArrival() {
      hasArrivals = true;
      schedule();
    },
    isFull: () => waiting.size >= mostWaiting,
  };
}
