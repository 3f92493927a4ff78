import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorReply, toRawErrorAnswer } from './error-reply.ts';
import { HttpError } from './http-error.ts';
import type { FinishedReply } from './reply.ts';

/** Answers that a refusal waits for. */
const waiting = new WeakSet<ServerResponse>();

/** Goes out like any other answer, so that a pipelined request gets it in its turn. */
export function expectationFailed(): FinishedReply {
  const error = new HttpError(417, 'INVALID_REQUEST', 'This server meets no expectation but 100-continue.');
  const { status, headers, body = '' } = toErrorReply(error);
  const length = String(Buffer.byteLength(body));
  const more = ['X-Content-Type-Options', 'nosniff', 'Content-Length', length, 'Connection', 'close'];
  return { status, headers: [...headers, ...more], body };
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
  const answer = () => {
    if (socket.writable) socket.end(rawAnswerTo(error.code), () => socket.destroy());
    else socket.destroy();
  };
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (latest === undefined) answer();
  else if (!latest.req.complete) {
    const isOursToAnswer = !latest.headersSent && latest.socket !== null;
    if (isOursToAnswer) answer();
    else socket.destroy();
  } else if (latest.writableFinished) answer();
  // More of the same may be on its way, and every piece of it tells this again.
  else if (!waiting.has(latest)) {
    waiting.add(latest);
    latest.once('finish', answer);
  }
}

function rawAnswerTo(code: string | undefined): string {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return toRawErrorAnswer(408, 'REQUEST_TIMEOUT', 'The request took too long to arrive.');
    case 'HPE_HEADER_OVERFLOW':
      return toRawErrorAnswer(431, 'INVALID_REQUEST', 'The request line and headers are too long.');
    default:
      return toRawErrorAnswer(400, 'INVALID_REQUEST', 'This is not a well-formed HTTP/1.1 request.');
  }
}
