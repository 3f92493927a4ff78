import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { mostHeadBytes, mostHeaderLines } from '../requests/request-head.ts';
import { answerTunnel } from './broken-request.ts';
import { type Connection, isHeldBack, isOwedAnAnswer } from './turns/connection.ts';
import { toPieceCounter } from './turns/pieces.ts';

/** All in milliseconds. */
export interface ServerTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly idleTimeout: number;
  readonly keepAliveTimeout: number;
  /** Interval between two checks of the connections. */
  readonly inspectEvery: number;
}

type Take = (request: IncomingMessage, response: ServerResponse) => void;

/** Callbacks for what happens at a server. */
export interface ServerEvents {
  readonly onRequest: Take;
  /** A request whose client waits for "100 Continue" before it sends the body. */
  readonly onExpectingRequest: Take;
  /** A request with any other `Expect` header. */
  readonly onUnknownExpectation: Take;
  readonly onConnection: (socket: Socket) => void;
  /** Bytes have come that are no request, or it came too slowly. */
  readonly onBroken: (error: NodeJS.ErrnoException, socket: Socket) => void;
  /** A request has so many more header lines or chunks than usual. */
  readonly onPieces: (socket: Socket, count: number) => void;
  /** A body consists of thousands of tiny chunks. */
  readonly onTinyChunks: (socket: Socket) => void;
  readonly connectionOf: (socket: Socket) => Connection | undefined;
}

/**
 * Connections that may wait to be accepted. With the default of 511, a burst from one client makes the kernel drop connections
 * of others, which then retry after 1, 3, 7 … seconds. Linux itself allows 4,096 by default.
 */
const backlog = 4_096;

/** A node:http server that leaves every decision to these callbacks. */
export function createHttpServer(times: ServerTimes, events: ServerEvents): Server {
  const { connectionOf } = events;
  const server = createServer(
    {
      headersTimeout: times.headersTimeout,
      requestTimeout: times.requestTimeout,
      keepAliveTimeout: times.keepAliveTimeout,
      connectionsCheckingInterval: times.inspectEvery,
      maxHeaderSize: mostHeadBytes,
      // The pipeline checks the host itself, with the same error format as everywhere.
      requireHostHeader: false,
      IncomingMessage: toPieceCounter(events.onPieces, events.onTinyChunks),
    },
    events.onRequest,
  );
  // Node would send "100 Continue" for everything, even for bodies that are too large. Here an answer that does not need the body
  // is sent instead.
  server.on('checkContinue', events.onExpectingRequest);
  server.on('checkExpectation', events.onUnknownExpectation);
  // Node drops the lines beyond this, perhaps X-Forwarded-For: one more than are allowed, so that such a request is refused.
  server.maxHeadersCount = mostHeaderLines + 1;
  // A client that has closed its sending side still gets its answers. Node has this option, but neither types nor documents it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // On close, Node would treat a connection as idle while its answer is still being sent.
  server.closeIdleConnections = () => undefined;
  server.timeout = times.idleTimeout;
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    // If this process was suspended or blocked, a request may have arrived in time without having been read. The event loop
    // reads before it runs this. A connection that is destroyed with unread bytes loses that request without an answer.
    setImmediate(() => {
      const connection = connectionOf(socket);
      // Not if it is silent because this server is still working on an answer, on a busy machine or a slow disk, or does not read it.
      const isInUse = connection !== undefined && (isOwedAnAnswer(connection) || isHeldBack(connection));
      if (!isInUse && socket.bytesRead === bytesRead) socket.destroy();
    });
  });
  server.on('connection', events.onConnection);
  server.on('connect', (_, socket: Socket) => answerTunnel(socket, connectionOf(socket)?.latest));
  server.on('clientError', events.onBroken);
  return server;
}

/** Resolves to the actual address; rejects with the system's error, such as EADDRINUSE. */
export function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
