import type { ServerResponse } from 'node:http';
import type { FinishedReply } from '../replies/reply.ts';
import { hasTransferEncoding } from '../requests/request-head.ts';
import { lingerAfterAnswer } from './lingering-close.ts';
import type { SlowReaders } from './slow-readers.ts';
import { type Connection, createLetGo } from './turns/connection.ts';
import { discardRest } from './turns/pieces.ts';

export interface AnswerWriterOptions {
  readonly slowReaders: SlowReaders;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Called when an answer has been sent that could not be sent at once. */
  readonly onRead: (connection: Connection) => void;
}

/** The only place that writes answers to a response. */
export interface AnswerWriter {
  write(connection: Connection, response: ServerResponse, reply: FinishedReply): void;
  /** Notes that the client waits for "100 Continue" before it sends its body. */
  expectGoAhead(response: ServerResponse): void;
  /** From now on, every answer closes its connection. */
  endConnections(): void;
}

export function createAnswerWriter({ slowReaders, now, onRead }: AnswerWriterOptions): AnswerWriter {
  const letGo = createLetGo();
  const waitsForGoAhead = new WeakSet<ServerResponse>();
  let isClosing = false;
  return {
    write(connection, response, reply) {
      if (response.destroyed || response.headersSent) return;
      const { status, body, encoding } = reply;
      let { headers } = reply;
      const { complete: isComplete, rawHeaders } = response.req;
      // A client that gets no "100 Continue" may send the body or not, so what follows could be a body or a request.
      const isUnsure = !isComplete && waitsForGoAhead.has(response);
      // Nothing would end the trailers of a body that nobody reads: thousands of connections could each hold as much as a head.
      const isChunked = !isComplete && hasTransferEncoding(rawHeaders);
      if (isClosing || isUnsure || isChunked || reply.isLast === true) {
        connection.isEnding = true;
        headers = [...headers, 'Connection', 'close'];
      }
      // Also if it is the client that wants no more answers: `shouldKeepAlive` is what its request said.
      if (!isComplete && (connection.isEnding || !response.shouldKeepAlive))
        lingerAfterAnswer(connection.socket);
      discardRest(response.req, isChunked);
      response.writeHead(status, headers as string[]);
      response.end(body, encoding ?? 'utf8');
      const unread = response.socket?.writableLength ?? 0;
      if (unread === 0) letGo(connection);
      else slowReaders.watch(response, unread, now(), () => onRead(connection));
    },
    expectGoAhead(response) {
      waitsForGoAhead.add(response);
    },
    endConnections() {
      isClosing = true;
    },
  };
}
