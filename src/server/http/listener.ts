import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerBrokenRequest, expectationFailed } from './broken-request.ts';
import { toRawErrorAnswer } from './error-reply.ts';
import type { Pipeline } from './pipeline.ts';
import type { FinishedReply } from './reply.ts';

export interface ListenerOptions {
  /** Milliseconds a client has to send its headers. Default: 10 s. */
  readonly headersTimeout?: number;
  /** Milliseconds a client has to send its whole request. Default: 20 s. */
  readonly requestTimeout?: number;
  /** Milliseconds a connection may stay silent while it sends or takes an answer. Default: 30 s. */
  readonly idleTimeout?: number;
  /** Milliseconds an idle connection is kept for the next request. Default: 5 s. */
  readonly keepAliveTimeout?: number;
  /** Connections open at once; further ones are closed at the door. Default: 10,000. */
  readonly maxConnections?: number;
  /** Told of every answer written, with the milliseconds it took. Default: nobody, at no cost. */
  readonly onAnswer?:
    | ((request: IncomingMessage, status: number, milliseconds: number, requestId: string) => void)
    | undefined;
}

export interface Listener {
  /** Resolves to the real address once connections are taken; rejects with the system's error, such as EADDRINUSE. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Takes no new connection, lets running requests end for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** The edge to node:http: makes request ids, writes replies, and answers what never became a request. */
export function createListener(answer: Pipeline, options: ListenerOptions = {}): Listener {
  const { onAnswer } = options;
  const nextRequestId = createRequestIds();
  /** The open connections, each with its latest response. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isClosing = false;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const requestId = nextRequestId();
    connections.set(request.socket, response);
    if (onAnswer !== undefined) reportAnswer(request, response, requestId, onAnswer);
    const reply = answer(request, requestId);
    if (reply instanceof Promise) void reply.then((late) => write(response, late, isClosing));
    else write(response, reply, isClosing);
  }

  const server = createServer(
    {
      headersTimeout: options.headersTimeout ?? 10_000,
      requestTimeout: options.requestTimeout ?? 20_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
      connectionsCheckingInterval: 500,
      // The pipeline looks at the host itself, and answers like everything else does.
      requireHostHeader: false,
    },
    handle,
  );
  // Node would say "100 Continue" to everything, too large bodies included, and in the middle of an answer where requests
  // are pipelined. Here the answer comes first, if there is one without the body.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response);
    setImmediate(() => {
      const isInTurn = response.socket !== null;
      if (isInTurn && !response.headersSent && !response.destroyed) response.writeContinue();
    });
  });
  server.timeout = options.idleTimeout ?? 30_000;
  server.on('timeout', (socket) => {
    // Silent because this server is still at work, on a busy machine or a slow disk: the answer is owed.
    const latest = connections.get(socket);
    const isOwedAnAnswer = latest?.req.complete === true && !latest.headersSent;
    if (!isOwedAnAnswer) socket.destroy();
  });
  server.maxConnections = options.maxConnections ?? 10_000;
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.on('close', () => connections.delete(socket));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.set(request.socket, response);
    write(response, expectationFailed(), isClosing);
  });
  server.on('connect', (_, socket: Socket) => {
    // Node hands the bare socket over, its errors included: one that nobody listens to would end the process.
    socket.on('error', () => socket.destroy());
    const latest = connections.get(socket);
    // A pipelined one must not be answered before those that came before it.
    if (latest !== undefined && !latest.writableFinished) socket.destroy();
    else socket.end(toRawErrorAnswer(405, 'METHOD_NOT_ALLOWED', 'This server is no proxy.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    answerBrokenRequest(error, socket, connections.get(socket));
  });

  return {
    listen: (port, host) => listen(server, port, host),
    close(graceMs) {
      isClosing = true;
      const closed = close(server, graceMs);
      for (const [socket, latest] of connections) if (isIdle(latest)) socket.destroySoon();
      return closed;
    },
  };
}

/** Ids that are unlike those of another run, and cheap: a random start and a counter. */
function createRequestIds(): () => string {
  const run = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${run}-${(++count).toString(36)}`;
}

function write(
  response: ServerResponse,
  { status, headers, body, encoding }: FinishedReply,
  isClosing: boolean,
): void {
  if (response.destroyed || response.headersSent) return;
  // Whoever waits for a go-ahead that will not come sends the body or does not: what follows could be either.
  const isUnsure = response.req.headers.expect !== undefined && !response.req.complete;
  if ((isClosing || isUnsure) && !headers.includes('Connection')) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  response.end(body, encoding ?? 'utf8');
}

function reportAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  onAnswer: NonNullable<ListenerOptions['onAnswer']>,
): void {
  const start = performance.now();
  response.on('close', () => onAnswer(request, response.statusCode, performance.now() - start, requestId));
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Browsers open connections ahead of need; node:http does not count one that never sent a request as idle. */
function isIdle(latest: ServerResponse | undefined): boolean {
  return latest === undefined || latest.writableFinished;
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
