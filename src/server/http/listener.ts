import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AddressRanges, clientKey, isLoopbackAddress, parseHop } from '../../kit/address.ts';
import { limits } from '../settings/limits.ts';
import { answerBrokenRequest, answerTunnel } from './broken-request.ts';
import {
  type Connection,
  dropWaiting,
  handleInOrder,
  isAnswerDue,
  isIdle,
  isLingering,
  newConnection,
  type Start,
  writeAnswer,
} from './connection.ts';
import { errorReply } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import { unknownExpectation } from './refusals.ts';
import { finishReply } from './reply.ts';
import { newRequestId, type Observation } from './request.ts';

type Timeouts = 'headersTimeout' | 'requestTimeout' | 'idleTimeout' | 'keepAliveTimeout';

/** Limits that replace those of the table. */
export interface ListenerOptions extends Partial<Pick<typeof limits, Timeouts | 'connections'>> {
  /** Maximum connections of one client. Undefined: loopback and trusted proxies may have any number. */
  readonly maxConnectionsPerClient?: number | undefined;
  /** Proxies, whose connections carry requests of many clients. */
  readonly trusted?: AddressRanges | undefined;
  /** Sees every answer, for the log and the metrics; must not throw. Omit it to observe nothing. */
  readonly onAnswer?: ((answer: ObservedAnswer) => void) | undefined;
  /** Whether each request gets an id, because it is recorded. Default: false. */
  readonly givesIds?: boolean;
}

export type Listener = ReturnType<typeof createListener>;

/**
 * Connections that may wait to be accepted. With the default of 511, a burst from one client makes the kernel
 * drop connections of others, which then retry after 1, 3, 7 … seconds. Linux itself allows 4,096 by default.
 */
const backlog = 4_096;

/** Milliseconds between two checks of the timeouts, and of idle connections while the server closes. */
const checkEvery = 250;

/** A node:http server that answers through a pipeline. */
export function createListener(answer: Pipeline, options: ListenerOptions = {}) {
  const { onAnswer, givesIds = false } = options;
  const admits = createClientCap(options.maxConnectionsPerClient, options.trusted);
  const connections = new Map<Socket, Connection>();
  let isClosing = false;
  const server = newServer({ ...limits, ...options });

  server.on('connection', (socket) => {
    if (!admits(socket)) {
      socket.destroy();
      return;
    }
    connections.set(socket, newConnection(socket));
    socket.on('close', forget);
  });
  // One function for all: with closures, 10,000 idle connections take megabytes more.
  function forget(this: Socket): void {
    dropWaiting(connections.get(this) as Connection);
    connections.delete(this);
  }
  const on = (start: Start) => (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) handleInOrder(connection, request, response, start);
  };
  server.on('request', on(handle));
  // Node would send "100 Continue" even for bodies that are too large. Here an early answer is sent instead.
  server.on('checkContinue', on(handleExpecting));
  server.on(
    'checkExpectation',
    on((connection, _, response) => writeAnswer(connection, response, expectationFailed)),
  );
  server.on('clientError', (error, socket: Socket) =>
    answerBrokenRequest(error, socket, connections.get(socket)),
  );
  server.on('connect', (_, socket: Socket) => answerTunnel(socket, connections.get(socket)?.latest));
  server.on('timeout', (socket: Socket) => {
    const connection = connections.get(socket);
    // The socket may be silent because the answer is still being prepared.
    if (connection === undefined || !isAnswerDue(connection)) socket.destroy();
  });

  async function handle(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    const id = givesIds ? newRequestId() : undefined;
    const observation = onAnswer === undefined ? undefined : observeAnswer(request, response, id, onAnswer);
    const reply = await answer(request, observation);
    // node:http may come here between a body and its end, although both have arrived. One that waits for
    // "100 Continue" has not.
    if (!request.complete && request.headers.expect === undefined) await nextTurn();
    writeAnswer(connection, response, isClosing ? { ...reply, isLast: true } : reply);
  }

  function handleExpecting(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    let isRefused = false;
    void handle(connection, request, response).then(() => {
      isRefused = true;
    });
    setImmediate(() => {
      if (!isRefused) response.writeContinue();
    });
  }

  function closeIdle(): void {
    for (const connection of connections.values()) {
      if (!isIdle(connection) || isLingering(connection.socket)) continue;
      // The socket is read until its sending side is closed, but requests that arrive then get no answer.
      connection.isEnding = true;
      connection.socket.destroySoon();
    }
  }

  return {
    /**
     * Resolves to the actual address once connections are accepted; rejects with the system's error, such as
     * EADDRINUSE.
     */
    listen(port: number, host: string): Promise<AddressInfo> {
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ port, host, backlog }, () => {
          server.off('error', reject);
          resolve(server.address() as AddressInfo);
        });
      });
    },
    /**
     * Accepts no new connections, gives running requests at most `graceMs`, then cuts the rest. Idle
     * connections are closed after `lingerMs`; a request that arrives before that is still answered.
     */
    async close(graceMs: number, lingerMs = 0): Promise<void> {
      isClosing = true;
      // `close` of net: that of http would also close connections whose answer is still being sent.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      const grace = setTimeout(() => {
        for (const { socket } of connections.values()) socket.destroy();
      }, graceMs);
      let check: NodeJS.Timeout | undefined;
      const linger = setTimeout(() => {
        closeIdle();
        check = setInterval(closeIdle, checkEvery);
      }, lingerMs);
      await closed;
      for (const timer of [grace, linger, check]) clearTimeout(timer);
    },
  };
}

const expectationFailed = finishReply(errorReply(unknownExpectation));

function newServer(caps: typeof limits): Server {
  const server = createServer({
    headersTimeout: caps.headersTimeout,
    requestTimeout: caps.requestTimeout,
    keepAliveTimeout: caps.keepAliveTimeout,
    connectionsCheckingInterval: checkEvery,
    maxHeaderSize: caps.headBytes,
    // The pipeline checks the host itself, with the same error format as everywhere.
    requireHostHeader: false,
  });
  server.timeout = caps.idleTimeout;
  server.maxConnections = caps.connections;
  server.maxRequestsPerSocket = caps.connectionRequests;
  // For answers to clients that have closed their sending side, which Node offers no documented way to send.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

/** Counts the connections of each client, and says whether one more is admitted. */
function createClientCap(limit: number | undefined, trusted: AddressRanges | undefined) {
  const counts = new Map<string, number>();
  return (socket: Socket): boolean => {
    const { remoteAddress = '' } = socket;
    const address = parseHop(remoteAddress);
    const isExempt = address !== undefined && (isLoopbackAddress(address) || trusted?.has(address) === true);
    if (limit === undefined && isExempt) return true;
    const client = clientKey(remoteAddress);
    const count = counts.get(client) ?? 0;
    if (count >= (limit ?? limits.clientConnections)) return false;
    counts.set(client, count + 1);
    socket.once('close', () => {
      const left = (counts.get(client) as number) - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    });
    return true;
  };
}

export interface ObservedAnswer extends Observation {
  readonly request: IncomingMessage;
  readonly status: number;
  /** From the start of handling to the last byte of the answer. */
  readonly milliseconds: number;
}

/** As in nginx: the client closed the connection before there was an answer. */
const clientGone = 499;

/** Returns the record that the pipeline fills in, and shows it to the observer when the answer is sent. */
function observeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  id: string | undefined,
  onAnswer: (answer: ObservedAnswer) => void,
): Observation {
  const observation: Observation = { id, route: undefined, refusedBy: undefined };
  const start = performance.now();
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : clientGone;
    onAnswer({ ...observation, request, status, milliseconds: performance.now() - start });
  });
  return observation;
}
