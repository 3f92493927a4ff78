import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FinishedReply } from '../replies/reply.ts';
import type { Pipeline } from '../routing/pipeline.ts';
import { type AnswerObserver, observeAnswer } from './answer-observers.ts';
import type { AnswerWriter } from './answer-writer.ts';
import { expectationFailed } from './broken-request.ts';
import type { Connection, Start } from './turns/connection.ts';

export interface StartsOptions {
  readonly observers: readonly AnswerObserver[];
  readonly writer: AnswerWriter;
  /** Notes activity of a connection. */
  readonly touch: (connection: Connection) => void;
}

/** How to start handling a request, by its `Expect` header. */
export interface Starts {
  readonly usual: Start;
  /** The client waits for "100 Continue" before it sends the body. */
  readonly expecting: Start;
  readonly unknownExpectation: Start;
}

export function createStarts(answer: Pipeline, { observers, writer, touch }: StartsOptions): Starts {
  function handle(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const observation = observers.length === 0 ? undefined : observeAnswer(request, response, observers);
    const reply = answer(request, observation);
    if (reply instanceof Promise) void reply.then((late) => writeLate(connection, response, late));
    else writer.write(connection, response, reply);
  }

  function writeLate(connection: Connection, response: ServerResponse, reply: FinishedReply): void {
    touch(connection);
    writer.write(connection, response, reply);
  }

  return {
    usual: handle,
    expecting(connection, request, response) {
      writer.expectGoAhead(response);
      handle(connection, request, response);
      setImmediate(() => {
        if (!response.headersSent && !response.destroyed) response.writeContinue();
      });
    },
    unknownExpectation: (connection, _, response) => writer.write(connection, response, expectationFailed()),
  };
}
