import type { IncomingMessage, ServerResponse } from 'node:http';
import { newRequestId, type Observation } from '../requests/context.ts';

export interface ObservedAnswer extends Observation {
  readonly request: IncomingMessage;
  readonly status: number;
  /** From the start of handling to the last byte of the answer. */
  readonly milliseconds: number;
}

/** Sees every answer, like the log and the metrics. It must not throw. */
export interface AnswerObserver {
  /** Whether it records request ids, so that answers should contain them. Default: false. */
  readonly writesIds?: boolean;
  onAnswer(answer: ObservedAnswer): void;
}

/** As in nginx: the client closed the connection before there was an answer. */
const clientGone = 499;

/** Returns the record that the pipeline fills in, and shows it to the observers when the answer is sent. */
export function observeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  observers: readonly AnswerObserver[],
): Observation {
  const id = observers.some(({ writesIds }) => writesIds) ? newRequestId() : undefined;
  const observation: Observation = { id, route: undefined, refusedBy: undefined };
  const start = performance.now();
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : clientGone;
    const answer = { ...observation, request, status, milliseconds: performance.now() - start };
    for (const observer of observers) observer.onAnswer(answer);
  });
  return observation;
}
