import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection, Start } from './connection.ts';

/**
 * Requests handled in one turn of the event loop. A turn accepts only one new connection (libuv since 1.45): if it handled
 * hundreds of requests, a new client would wait for seconds behind a burst of connections.
 */
const mostInRound = 16;
/** The same in a turn that follows one with a new connection: more connections may be waiting. */
const mostDuringArrivals = 2;

export interface LoopShare {
  /** Handles a request now, or in one of the next turns of the event loop, in order of arrival. */
  begin(start: Start, connection: Connection, request: IncomingMessage, response: ServerResponse): void;
  /** Called for each new connection. */
  noteArrival(): void;
}

export function createLoopShare(): LoopShare {
  const waiting: Parameters<LoopShare['begin']>[] = [];
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
    if (hasArrivals || waiting.length > 0) schedule();
    hasArrivals = false;
    for (; left > 0 && waiting.length > 0; left -= 1) {
      const [start, connection, request, response] = waiting.shift() as (typeof waiting)[number];
      if (!connection.socket.destroyed) start(connection, request, response);
    }
  }

  return {
    begin(start, connection, request, response) {
      schedule();
      if (left === 0) {
        waiting.push([start, connection, request, response]);
        return;
      }
      left -= 1;
      start(connection, request, response);
    },
    noteArrival() {
      hasArrivals = true;
      schedule();
    },
  };
}
