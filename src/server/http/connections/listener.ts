import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { giveWay } from '../../../kit/slices.ts';
import type { Pipeline } from '../routing/pipeline.ts';
import { onCloseWithoutStacks } from './aborted-requests.ts';
import type { AnswerObserver } from './answer-observers.ts';
import { createAnswerWriter } from './answer-writer.ts';
import { answerBrokenRequest, requestTimeout, tinyChunks } from './broken-request.ts';
import { closeServer } from './closing.ts';
import { type ConnectionCap, createConnectionTable } from './connection-table.ts';
import { createHttpServer, listen, type ServerTimes } from './http-server.ts';
import { createLateRequests } from './late-requests.ts';
import { createStarts } from './request-starts.ts';
import { createSlowReaders } from './slow-readers.ts';
import { createArrivals } from './turns/arrivals.ts';
import type { Connection, Start } from './turns/connection.ts';
import { workOf } from './turns/crowd.ts';
import { createLoopShare } from './turns/loop-share.ts';
import { createPieceCount, stopForGood } from './turns/pieces.ts';
import { createRotation } from './turns/rotation.ts';
import { createTurns } from './turns/turns.ts';

export interface ListenerOptions {
  /** Milliseconds a client has to send its headers. Default: 10 s. */
  readonly headersTimeout?: number;
  /** Milliseconds a client has to send its whole request. Default: 20 s. */
  readonly requestTimeout?: number;
  /** Milliseconds a connection may be silent while it sends a request or receives an answer. Default: 30 s. */
  readonly idleTimeout?: number;
  /** Milliseconds an idle connection is kept for the next request. Default: 5 s. */
  readonly keepAliveTimeout?: number;
  /** Most open connections; beyond, the one idle for longest is closed for the newest. Default: 10,000. */
  readonly maxConnections?: number;
  /** The cap that a connection counts towards besides `maxConnections`. Default: none. */
  readonly capOf?: (socket: Socket) => ConnectionCap | undefined;
  /** Most bytes of answers waiting for slow readers, on all connections together. Default: 16 MiB. */
  readonly maxUnreadBytes?: number;
  /** Milliseconds that reading any answer may take, plus a second for every 16 KiB of it. Default: 30 s. */
  readonly readGrace?: number;
  /** Called with every answer. Default: none, at no cost. */
  readonly observers?: readonly AnswerObserver[];
}

export interface Listener {
  /** Resolves to the actual address once connections are accepted; rejects with the system's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Accepts no new connections, gives running requests at most `graceMs`, then cuts the rest. Idle connections are closed
   * after `lingerMs` (default: 0); a request that arrives before that is still answered.
   */
  close(graceMs: number, lingerMs?: number): Promise<void>;
}

/** Milliseconds between two checks of the connections. */
const inspectEvery = 500;

/** The boundary to node:http: bounds connections, handles each request in its turn, and writes its answer. */
export function createListener(answer: Pipeline, options: ListenerOptions = {}): Listener {
  const times = timesOf(options);
  const { capOf = () => undefined } = options;
  const connections = createConnectionTable({ maxConnections: options.maxConnections ?? 10_000, capOf });
  const slowReaders = createSlowReaders({
    maxBytes: options.maxUnreadBytes ?? 16 * 1024 * 1024,
    grace: options.readGrace ?? 30_000,
    leastSpeed: 16 * 1024,
  });
  const share = createLoopShare();
  const arrivals = createArrivals();
  const rotation = createRotation(arrivals, share);
  const turns = createTurns(share, rotation);
  const pieces = createPieceCount(rotation);
  const late = createLateRequests(({ socket, latest }) =>
    answerBrokenRequest(requestTimeout, socket, latest),
  );
  /** As of the last check: exact enough for seconds, and no request has to read the clock. */
  let now = performance.now();
  const touch = (connection: Connection) => connections.touch(connection, now);
  const writer = createAnswerWriter({ slowReaders, now: () => now, onRead: touch });
  const starts = createStarts(answer, { observers: options.observers ?? [], writer, touch });

  const takeWith = (start: Start) => (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.of(request.socket);
    if (connection === undefined) return;
    touch(connection);
    late.forget(connection);
    rotation.note(connection, workOf.request);
    pieces.addHead(connection, request);
    turns.take(connection, request, response, start);
  };
  const server = createHttpServer(times, {
    onRequest: takeWith(starts.usual),
    onExpectingRequest: takeWith(starts.expecting),
    onUnknownExpectation: takeWith(starts.unknownExpectation),
    onConnection(socket) {
      share.noteArrival();
      giveWay();
      arrivals.note();
      connections.admit(socket, now);
      const connection = connections.of(socket);
      if (connection === undefined) return;
      rotation.admit(connection);
      onCloseWithoutStacks(socket, () => forget(connection));
    },
    onBroken(error, socket) {
      const connection = connections.of(socket);
      if (connection === undefined) return answerBrokenRequest(error, socket, undefined);
      if (error.code === requestTimeout.code && late.putOff(connection)) return;
      rotation.note(connection, workOf.broken);
      answerBrokenRequest(error, socket, connection.latest);
    },
    onPieces(socket, count) {
      const connection = connections.of(socket);
      if (connection !== undefined) pieces.add(connection, count);
    },
    onTinyChunks(socket) {
      const connection = connections.of(socket);
      if (connection === undefined) return;
      stopForGood(connection);
      answerBrokenRequest(tinyChunks, socket, connection.latest);
    },
    connectionOf: connections.of,
  });

  function forget(connection: Connection): void {
    late.forget(connection);
    turns.forget(connection);
    rotation.forget(connection);
    connections.remove(connection.socket);
  }

  function inspect(): void {
    now = performance.now();
    slowReaders.cutOverdue(now);
    late.inspect();
    // Blank lines or half a request line are not a request: the connection stays idle.
    connections.closeIdleSince(now - times.keepAliveTimeout - times.headersTimeout, now);
  }

  const inspection = setInterval(inspect, inspectEvery).unref();
  return {
    listen: (port, host) => listen(server, port, host),
    async close(graceMs, lingerMs = 0) {
      writer.endConnections();
      await closeServer(server, connections, { graceMs, lingerMs });
      clearInterval(inspection);
    },
  };
}

function timesOf(options: ListenerOptions): ServerTimes {
  return {
    headersTimeout: options.headersTimeout ?? 10_000,
    requestTimeout: options.requestTimeout ?? 20_000,
    idleTimeout: options.idleTimeout ?? 30_000,
    keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
    inspectEvery,
  };
}
