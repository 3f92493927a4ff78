import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FinishedReply } from '../replies/reply.ts';
import type { Pipeline } from '../routing/pipeline.ts';
import { type AnswerObserver, observeAnswer } from './answer-observers.ts';
import { answerBrokenRequest, answerTunnel, expectationFailed } from './broken-request.ts';
import { type Connection, createLetGo, isIdle, isOwedAnAnswer, type Start } from './connection.ts';
import { type ConnectionCap, createConnectionTable } from './connection-table.ts';
import { createLoopShare } from './loop-share.ts';
import { createSlowReaders } from './slow-readers.ts';
import { createTurns } from './turns.ts';

export interface ListenerOptions {
  /** Milliseconds a client has to send its headers. Default: 10 s. */
  readonly headersTimeout?: number;
  /** Milliseconds a client has to send its whole request. Default: 20 s. */
  readonly requestTimeout?: number;
  /** Milliseconds a connection may stay silent while it sends or takes an answer. Default: 30 s. */
  readonly idleTimeout?: number;
  /** Milliseconds an idle connection is kept for the next request. Default: 5 s. */
  readonly keepAliveTimeout?: number;
  /** Connections open at once; beyond, the one idle for longest is closed for the newest. Default: 10,000. */
  readonly maxConnections?: number;
  /** What a connection counts towards beside `maxConnections`. Default: nothing. */
  readonly capOf?: (socket: Socket) => ConnectionCap | undefined;
  /** Bytes of answers that may wait for slow readers, on all connections together. Default: 16 MiB. */
  readonly maxUnreadBytes?: number;
  /** Milliseconds any answer may take to be read, and a second for every 16 KiB of it. Default: 30 s. */
  readonly readGrace?: number;
  /** Called with every answer. Default: none, at no cost. */
  readonly observers?: readonly AnswerObserver[];
}

export interface Listener {
  /** Resolves to the real address once connections are taken; rejects with the system's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Takes no new connection, lets running requests end for at most `graceMs`, then cuts what is left. Idle connections are
   * closed after `lingerMs`, in which a request that is on its way is still answered. Default: 0.
   */
  close(graceMs: number, lingerMs?: number): Promise<void>;
}

/**
 * Connections that may wait to be taken. With the usual 511 a burst of them from one client makes the kernel drop those of
 * others, who then try again after 1, 3, 7 … seconds. Linux itself allows 4,096 unless it is set otherwise.
 */
const backlog = 4_096;
/** Milliseconds between two looks at the connections. */
const inspectEvery = 500;

/** The edge to node:http: bounds connections, writes replies, and answers what never became a request. */
export function createListener(answer: Pipeline, options: ListenerOptions = {}): Listener {
  const {
    observers = [],
    headersTimeout = 10_000,
    requestTimeout = 20_000,
    keepAliveTimeout = 5_000,
  } = options;
  const connections = createConnectionTable({
    maxConnections: options.maxConnections ?? 10_000,
    capOf: options.capOf ?? (() => undefined),
  });
  const share = createLoopShare();
  const turns = createTurns(share);
  const letGo = createLetGo();
  const slowReaders = createSlowReaders({
    maxBytes: options.maxUnreadBytes ?? 16 * 1024 * 1024,
    grace: options.readGrace ?? 30_000,
    leastSpeed: 16 * 1024,
  });
  /** Responses to clients that wait for a go-ahead before they send the body. */
  const expecting = new WeakSet<ServerResponse>();
  let isClosing = false;
  /** As of the last look: exact enough for seconds, and no request has to ask for the time. */
  let now = performance.now();

  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: inspectEvery,
      // The pipeline looks at the host itself, and answers like everything else does.
      requireHostHeader: false,
    },
    (request, response) => take(request, response, handle),
  );
  // Node would say "100 Continue" to everything, too large bodies included. Here the answer comes first, if there is one
  // without the body.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
    take(request, response, handleExpecting),
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    take(request, response, (connection) => write(connection, response, expectationFailed())),
  );
  // Node drops what comes after so many headers, and X-Forwarded-For with it. The size of all of them is bounded anyway.
  server.maxHeadersCount = 0;
  server.timeout = options.idleTimeout ?? 30_000;
  server.on('timeout', (socket: Socket) => {
    const connection = connections.of(socket);
    // Silent because this server is still at work, on a busy machine or a slow disk: the answer is owed.
    if (connection === undefined || !isOwedAnAnswer(connection)) socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    share.noteArrival();
    connections.admit(socket, now);
    socket.on('close', () => forget(socket));
  });
  server.on('connect', (_, socket: Socket) => answerTunnel(socket, connections.of(socket)?.latest));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerBrokenRequest(error, socket, connections.of(socket)?.latest);
  });

  function take(request: IncomingMessage, response: ServerResponse, start: Start): void {
    const connection = connections.of(request.socket);
    if (connection === undefined) return;
    connections.touch(connection, now);
    turns.take(connection, request, response, start);
  }

  function handle(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const observation = observers.length === 0 ? undefined : observeAnswer(request, response, observers);
    const reply = answer(request, observation);
    if (reply instanceof Promise) void reply.then((late) => writeLate(connection, response, late));
    else write(connection, response, reply);
  }

  function handleExpecting(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    expecting.add(response);
    handle(connection, request, response);
    setImmediate(() => {
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    });
  }

  function writeLate(connection: Connection, response: ServerResponse, reply: FinishedReply): void {
    connections.touch(connection, now);
    write(connection, response, reply);
  }

  function write(connection: Connection, response: ServerResponse, reply: FinishedReply): void {
    if (response.destroyed || response.headersSent) return;
    const { status, body, encoding } = reply;
    let { headers } = reply;
    // A client that waits for a go-ahead that will not come sends the body or does not: what follows could be either.
    const isUnsure = !response.req.complete && expecting.has(response);
    if (isClosing || isUnsure || reply.isLast === true) {
      connection.isEnding = true;
      headers = [...headers, 'Connection', 'close'];
    }
    response.writeHead(status, headers as string[]);
    response.end(body, encoding ?? 'utf8');
    const unread = response.socket?.writableLength ?? 0;
    if (unread === 0) letGo(connection);
    else slowReaders.watch(response, unread, now, () => connections.touch(connection, now));
  }

  function forget(socket: Socket): void {
    const connection = connections.of(socket);
    if (connection === undefined) return;
    turns.forget(connection);
    connections.remove(socket);
  }

  function inspect(): void {
    now = performance.now();
    slowReaders.cutOverdue(now);
    // Blank lines, or half a request line, are bytes and no request: they do not make a connection less idle.
    connections.closeIdleSince(now - keepAliveTimeout - headersTimeout, now);
  }

  function closeIdle(): void {
    for (const connection of connections.all()) if (isIdle(connection)) connection.socket.destroySoon();
  }

  const inspection = setInterval(inspect, inspectEvery).unref();
  return {
    listen: (port, host) => listen(server, port, host),
    close(graceMs, lingerMs = 0) {
      isClosing = true;
      clearInterval(inspection);
      const closed = close(server, graceMs);
      if (lingerMs === 0) closeIdle();
      else setTimeout(closeIdle, lingerMs);
      return closed;
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}
