import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerBrokenRequest, answerTunnel } from './broken-request.ts';
import { type Connection, isOwedAnAnswer } from './connection.ts';

/** All in milliseconds. */
export interface ServerTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly idleTimeout: number;
  readonly keepAliveTimeout: number;
  /** Between two looks at the connections. */
  readonly inspectEvery: number;
}

type Take = (request: IncomingMessage, response: ServerResponse) => void;

/** What happens at a server. */
export interface ServerEvents {
  readonly onRequest: Take;
  /** A request whose client waits for a go-ahead before it sends the body. */
  readonly onExpectingRequest: Take;
  /** A request whose client expects something else. */
  readonly onUnknownExpectation: Take;
  readonly onConnection: (socket: Socket) => void;
  readonly connectionOf: (socket: Socket) => Connection | undefined;
}

/**
 * Connections that may wait to be taken. With the usual 511 a burst of them from one client makes the kernel drop those of
 * others, who then try again after 1, 3, 7 … seconds. Linux itself allows 4,096 unless it is set otherwise.
 */
const backlog = 4_096;

/** A server of node:http that leaves every decision to these events. */
export function createHttpServer(times: ServerTimes, events: ServerEvents): Server {
  const { connectionOf } = events;
  const server = createServer(
    {
      headersTimeout: times.headersTimeout,
      requestTimeout: times.requestTimeout,
      keepAliveTimeout: times.keepAliveTimeout,
      connectionsCheckingInterval: times.inspectEvery,
      // The pipeline looks at the host itself, and answers like everything else does.
      requireHostHeader: false,
    },
    events.onRequest,
  );
  // Node would say "100 Continue" to everything, too large bodies included. Here the answer comes first, if there is one
  // without the body.
  server.on('checkContinue', events.onExpectingRequest);
  server.on('checkExpectation', events.onUnknownExpectation);
  // Node drops what comes after so many headers, and X-Forwarded-For with it. The size of all of them is bounded anyway.
  server.maxHeadersCount = 0;
  // A client that has said all it has to say still gets its answers. Node has the switch, but no type or document for it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // When it closes, Node takes a connection for idle whose answer is still on its way out.
  server.closeIdleConnections = () => undefined;
  server.timeout = times.idleTimeout;
  server.on('timeout', (socket: Socket) => {
    const connection = connectionOf(socket);
    // Silent because this server is still at work, on a busy machine or a slow disk: the answer is owed.
    if (connection === undefined || !isOwedAnAnswer(connection)) socket.destroy();
  });
  server.on('connection', events.onConnection);
  server.on('connect', (_, socket: Socket) => answerTunnel(socket, connectionOf(socket)?.latest));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerBrokenRequest(error, socket, connectionOf(socket)?.latest);
  });
  return server;
}

/** Resolves to the real address; rejects with the system's error, such as EADDRINUSE. */
export function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
