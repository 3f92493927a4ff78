import type { ServerResponse } from 'node:http';
import type { FinishedReply } from '../replies/reply.ts';
import { type Connection, createLetGo } from './connection.ts';
import type { SlowReaders } from './slow-readers.ts';

export interface AnswerWriterOptions {
  readonly slowReaders: SlowReaders;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  /** Called when an answer has left that did not leave at once. */
  readonly onRead: (connection: Connection) => void;
}

/** The one place that writes answers to a response. */
export interface AnswerWriter {
  write(connection: Connection, response: ServerResponse, reply: FinishedReply): void;
  /** Notes that the client waits for a go-ahead before it sends its body. */
  expectGoAhead(response: ServerResponse): void;
  /** From now on every answer is the last of its connection. */
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
      // A client that waits for a go-ahead that will not come sends the body or does not: what follows could be either.
      const isUnsure = !response.req.complete && waitsForGoAhead.has(response);
      if (isClosing || isUnsure || reply.isLast === true) {
        connection.isEnding = true;
        headers = [...headers, 'Connection', 'close'];
      }
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
