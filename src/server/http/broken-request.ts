import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, closeAfter, isLingering } from './connection.ts';
import { errorReply, type HttpError } from './errors.ts';
import * as refusals from './refusals.ts';
import { finishReply, headerPairs } from './reply.ts';

/** Responses that must be sent before a refusal on their connection. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Answers, on the bare socket, a request that the parser refused or that came too slowly, after the answers
 * to the complete requests before it. If it was already answered while its body was arriving, that is its
 * only answer.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connection: Connection | undefined,
): void {
  const latest = connection?.latest;
  const unstarted = connection?.waiting.at(-1);
  const answer = () => closeAfter(socket, rawAnswer(refusalOf(error)));
  if (isLingering(socket)) return;
  if (error.code === 'ECONNRESET') socket.destroy();
  else if (!socket.writable) socket.destroySoon();
  else if (latest === undefined) answer();
  else if (latest.req.complete) answerAfter(latest, answer);
  else if (unstarted !== undefined) unstarted.start = answer;
  else if (latest.headersSent) closeAfter(socket, '');
  else answer();
}

/**
 * CONNECT asks for a tunnel, which this server never opens. Node hands over the bare socket together with its
 * errors: without a listener, an error would end the process.
 */
export function answerTunnel(socket: Socket, latest: ServerResponse | undefined): void {
  socket.on('error', () => socket.destroy());
  // A bare socket is only read if it has a listener.
  socket.on('data', () => isLingering(socket));
  answerAfter(latest, () => closeAfter(socket, rawAnswer(refusals.noProxy)));
}

function answerAfter(latest: ServerResponse | undefined, answer: () => void): void {
  if (latest === undefined || latest.writableFinished) answer();
  // More bytes may follow, and each chunk causes the error again.
  else if (!waiting.has(latest)) {
    waiting.add(latest);
    // Before Node's own listener, which closes the connection of a client that has closed its side.
    latest.prependOnceListener('finish', answer);
  }
}

interface ParserError extends NodeJS.ErrnoException {
  /** Distinguishes errors with the same code. */
  readonly reason?: string;
  /** The chunk in which it occurred, and how much of it was parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

function refusalOf(error: ParserError): HttpError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusals.requestTimeout;
    case 'HPE_HEADER_OVERFLOW':
      return refusals.headTooLong;
    case 'HPE_INVALID_VERSION':
      // The code is the same if the version is not followed by CRLF.
      return error.reason === 'Invalid HTTP version' ? refusals.versionNotSupported : refusals.malformed;
    case 'HPE_PAUSED_H2_UPGRADE':
      return refusals.versionNotSupported;
    case 'HPE_INVALID_METHOD':
      return isRequestLine(error) ? refusals.unknownMethod : refusals.malformed;
  }
  return refusals.malformed;
}

/** Bytes searched for an unknown method: matching 64 KiB without a line end would take too long. */
const maxLine = 4_096;

/** Whether the parser failed on a valid request line whose method it does not know. */
function isRequestLine({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ParserError): boolean {
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const line = rawPacket.toString('latin1', start, start + maxLine);
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~]+ HTTP\/\d\.\d\r?\n/.test(line);
}

/** For errors that occur before there is a request; written to the bare socket. */
function rawAnswer(refusal: HttpError): string {
  const { status, headers, body } = finishReply(errorReply(refusal));
  const lines = headerPairs(headers).map(([name, value]) => `${name}: ${value}`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  return [start, ...lines, 'Connection: close', '', body].join('\r\n');
}
