import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Handles one request; called when it is its turn. */
export type Start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => void;

/** A request that waits for the answers before its own. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: Start;
}

/** What the listener knows of one open connection. */
export interface Connection {
  readonly socket: Socket;
  /** The response to the request received last; undefined before the first, and when it has left. */
  latest: ServerResponse | undefined;
  readonly waiting: Turn[];
  /** Whether reading has stopped because too many requests wait. */
  isHeld: boolean;
  /** Whether it was held before, so that resuming it is noticed. */
  isWatched: boolean;
  /** Whether its last answer is chosen. */
  isEnding: boolean;
}

export function newConnection(socket: Socket): Connection {
  return { socket, latest: undefined, waiting: [], isHeld: false, isWatched: false, isEnding: false };
}

/** Whether this response has left completely and node:http has handed the socket to the next one. */
export function isDone(response: ServerResponse): boolean {
  return response.writableFinished && response.socket === null;
}

/** Browsers open connections ahead of need; node:http does not count one that never sent a request as idle. */
export function isIdle({ latest, waiting }: Connection): boolean {
  return waiting.length === 0 && (latest === undefined || latest.writableFinished);
}

/** Whether a whole request waits for its answer to begin. */
export function isOwedAnAnswer({ latest, waiting }: Connection): boolean {
  return waiting.length > 0 || (latest?.req.complete === true && !latest.headersSent);
}

/**
 * Forgets the responses that have left, once a round of the event loop. A thousand quiet connections would keep a thousand of
 * them otherwise, with their requests, and the garbage collector would move each out of the way several times.
 */
export function createLetGo(): (connection: Connection) => void {
  const answered: Connection[] = [];
  const forgetResponses = () => {
    for (const connection of answered) {
      if (connection.latest !== undefined && isDone(connection.latest)) connection.latest = undefined;
    }
    answered.length = 0;
  };
  return (connection) => {
    if (answered.push(connection) === 1) setImmediate(forgetResponses);
  };
}
