import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toBlock } from '../../../../kit/client-block.ts';

/** Handles one request; called when its turn comes. */
export type Start = (connection: Connection, request: IncomingMessage, response: ServerResponse) => void;

/** A request that waits for the answers before it. */
export interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: Start;
  /** Memory that it takes, approximately. */
  readonly bytes: number;
}

/**
 * Why a connection is not read: too many of its requests wait, it waits for its turn to be read, all of them together have brought
 * too much, or it has been given up.
 */
export type Stop = 'full' | 'turn' | 'rest' | 'end';

/** The state of one open connection. */
export interface Connection {
  readonly socket: Socket;
  /** The client that it counts towards, for IPv6 its /48; undefined if it is exempt, such as that of a trusted proxy. */
  readonly owner: string | undefined;
  /** The response to the latest request; undefined before the first, and once it has been sent. */
  latest: ServerResponse | undefined;
  readonly waiting: Turn[];
  /** Sum of their bytes. */
  waitingBytes: number;
  /** Whether it has brought something in an earlier turn of the event loop, and not much at once. */
  isKnown: boolean;
  /** What it has brought since then, or since it last brought much at once. */
  quietRequests: number;
  /** While there is a reason, nothing is read from it. */
  readonly stops: Record<Stop, boolean>;
  /** Unusually many header lines and chunks since it last had to wait for its turn. */
  pieces: number;
  /** Whether there is a listener for its resumption, which the first stop adds. */
  isWatched: boolean;
  /** Whether its last answer has been chosen: further requests are ignored. */
  isEnding: boolean;
  /** The number of such requests. */
  ignored: number;
}

export function newConnection(socket: Socket, client: string | undefined): Connection {
  return {
    socket,
    owner: client === undefined ? undefined : (toBlock(client) ?? client),
    latest: undefined,
    waiting: [],
    waitingBytes: 0,
    isKnown: false,
    quietRequests: 0,
    stops: { full: false, turn: false, rest: false, end: false },
    pieces: 0,
    isWatched: false,
    isEnding: false,
    ignored: 0,
  };
}

/** Whether this response has been sent completely and node:http has given the socket to the next one. */
export function isDone(response: ServerResponse): boolean {
  return response.writableFinished && response.socket === null;
}

/** Includes connections without any request, which browsers open in advance and node:http does not count as idle. */
export function isIdle({ latest, waiting }: Connection): boolean {
  return waiting.length === 0 && (latest === undefined || latest.writableFinished);
}

/** Whether it is silent only because it is not its turn to be read: it may have sent a request. */
export function isHeldBack({ stops }: Connection): boolean {
  return stops.turn || stops.rest;
}

/** Whether the answer to a complete request has not begun yet. */
export function isOwedAnAnswer({ latest, waiting }: Connection): boolean {
  return waiting.length > 0 || (latest?.req.complete === true && !latest.headersSent);
}

/**
 * Forgets the responses that have been sent, once per turn of the event loop. Otherwise a thousand quiet connections would keep a
 * thousand responses with their requests, and the garbage collector would copy each of them several times.
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
