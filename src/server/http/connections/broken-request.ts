import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorReply, toRawErrorAnswer } from '../replies/error-reply.ts';
import { methodsAnywhere } from '../replies/refusals.ts';
import type { FinishedReply } from '../replies/reply.ts';
import { HttpError } from '../requests/http-error.ts';
import { closeAfter, isLingering } from './lingering-close.ts';

/** Answers that a refusal waits for. */
const waiting = new WeakSet<ServerResponse>();

/** Goes out like any other answer, so that a pipelined request gets it in its turn. */
export function expectationFailed(): FinishedReply {
  const error = new HttpError(
    417,
    'INVALID_REQUEST',
    'The only expectation that this server supports is 100-continue.',
  );
  const { status, headers, body = '' } = toErrorReply(error);
  const length = String(Buffer.byteLength(body));
  const more = ['X-Content-Type-Options', 'nosniff', 'Content-Length', length];
  return { status, headers: [...headers, ...more], body, isLast: true };
}

/**
 * A request that the parser refused or that came too slowly gets its answer on the bare socket, after those of the whole
 * requests before it; none where this very request was answered early, while its body was still on the way.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  const answer = () => closeAfter(socket, rawAnswerTo(error));
  if (isLingering(socket)) return;
  if (error.code === 'ECONNRESET') socket.destroy();
  else if (!socket.writable) socket.destroySoon();
  else if (latest === undefined) answer();
  else if (!latest.req.complete) {
    const isOursToAnswer = !latest.headersSent && latest.socket !== null;
    if (isOursToAnswer) answer();
    else socket.destroy();
  } else answerAfter(latest, answer);
}

/**
 * CONNECT asks for a tunnel, which this server never opens. Node hands the bare socket over, its errors included: one that
 * nobody listens to would end the process.
 */
export function answerTunnel(socket: Socket, latest: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy());
  // Nobody reads from the bare socket otherwise.
  socket.on('data', () => isLingering(socket));
  answerAfter(latest, () =>
    closeAfter(
      socket,
      toRawErrorAnswer(405, 'METHOD_NOT_ALLOWED', 'This server is not a proxy.', [
        ...['Allow', methodsAnywhere],
      ]),
    ),
  );
}

function answerAfter(latest: ServerResponse | undefined, answer: () => void): void {
  if (latest === undefined || latest.writableFinished) answer();
  // More of the same may be on its way, and every piece of it comes here again.
  else if (!waiting.has(latest)) {
    waiting.add(latest);
    latest.once('finish', answer);
  }
}

/** What node:http adds to an error of its parser. */
interface ParserError extends NodeJS.ErrnoException {
  /** What was read when it came up, and how much of that was understood. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

function rawAnswerTo(error: ParserError): string {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return toRawErrorAnswer(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.');
    case 'HPE_HEADER_OVERFLOW':
      return toRawErrorAnswer(431, 'INVALID_REQUEST', 'The request line and headers are too long.');
    case 'HPE_INVALID_VERSION':
    case 'HPE_PAUSED_H2_UPGRADE':
      return toRawErrorAnswer(505, 'HTTP_VERSION_NOT_SUPPORTED', 'This server speaks HTTP/1.1.');
    case 'HPE_INVALID_METHOD':
      if (!isRequestLine(error)) break;
      return toRawErrorAnswer(501, 'NOT_IMPLEMENTED', 'This server does not know that method.');
  }
  return toRawErrorAnswer(400, 'INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
}

/** Whether what the parser stumbled over is a request line all the same, with a method that is merely unknown to it. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString('latin1') ?? '';
  const line = text.slice(text.lastIndexOf('\n', bytesParsed) + 1);
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~]+ HTTP\/\d\.\d\r?\n/.test(line);
}
