import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Connection, isDone, type Start, type Turn } from './connection.ts';
import type { LoopShare } from './loop-share.ts';
import { resumeReading, stopReading } from './reading.ts';
import type { Rotation } from './rotation.ts';
import { createWaitingBudget, weigh } from './waiting-budget.ts';

/** Requests of one connection that may wait before reading from it stops. */
const heldAt = 16;
/** The same in bytes of waiting requests; the rest of the chunk that reached a bound is still parsed: at most 64 KiB. */
const heldBytesAt = 32 * 1024;

/** Handles the requests of each connection one at a time, in order (pipelining, RFC 9112, section 9.3.2). */
export interface Turns {
  /** Starts handling a request at once, or when the answers before it have been sent. */
  take(connection: Connection, request: IncomingMessage, response: ServerResponse, start: Start): void;
  /** The connection is closed: drops its waiting requests. */
  forget(connection: Connection): void;
}

export function createTurns(share: LoopShare, rotation: Rotation): Turns {
  const budget = createWaitingBudget();
  /** Connections whose next request may start, in the order in which they became ready. */
  const ready: Connection[] = [];

  function wait(connection: Connection, turn: Turn): void {
    const { waiting, socket } = connection;
    waiting.push(turn);
    connection.waitingBytes += turn.bytes;
    if (isFull(connection)) stopReading(connection, 'full');
    if (waiting.length === heldAt + 1) rotation.hold(connection);
    if (budget.take(connection, turn.bytes)) return;
    // Otherwise everything else that this client has sent would still be parsed before the connection is closed.
    rotation.hold(connection);
    socket.destroy();
  }

  function startAfter(connection: Connection, before: ServerResponse): void {
    before.once('finish', () => {
      ready.push(connection);
      if (ready.length === 1) setImmediate(startOne);
    });
  }

  /** Only one per turn of the event loop, so that single requests never wait behind pipelined ones. */
  function startOne(): void {
    const connection = ready.shift();
    if (connection !== undefined) startNext(connection);
    if (ready.length > 0) setImmediate(startOne);
  }

  function startNext(connection: Connection): void {
    const { waiting } = connection;
    if (isOver(connection)) return;
    const turn = waiting.shift();
    if (turn === undefined) return;
    connection.waitingBytes -= turn.bytes;
    budget.giveBack(connection, turn.bytes);
    if (!isFull(connection)) resumeReading(connection, 'full');
    turn.start(connection, turn.request, turn.response);
    if (waiting.length > 0) startAfter(connection, turn.response);
  }

  /**
   * What follows the last answer is still read for a moment, because closing would reset the connection and discard that answer. But
   * node:http keeps each of these requests, so a client that sends many of them is disconnected.
   */
  function ignore(connection: Connection): void {
    const { socket } = connection;
    if (socket.destroyed) return;
    connection.ignored += 1;
    if (connection.ignored <= heldAt) return;
    rotation.hold(connection);
    socket.destroy();
  }

  return {
    take(connection, request, response, start) {
      if (isOver(connection)) return ignore(connection);
      const { latest, waiting } = connection;
      connection.latest = response;
      if (latest === undefined || (isDone(latest) && waiting.length === 0)) {
        share.begin(start, connection, request, response);
        return;
      }
      wait(connection, { request, response, start, bytes: weigh(request) });
      if (waiting.length === 1) startAfter(connection, latest);
    },
    forget(connection) {
      budget.giveBack(connection, connection.waitingBytes);
      connection.waitingBytes = 0;
      connection.waiting.length = 0;
    },
  };
}

function isFull({ waiting, waitingBytes }: Connection): boolean {
  return waiting.length >= heldAt || waitingBytes >= heldBytesAt;
}

/** Requests after the last answer of a connection are ignored (RFC 9112, section 9.6). */
function isOver({ isEnding, socket }: Connection): boolean {
  return isEnding || socket.destroyed;
}
