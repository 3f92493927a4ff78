import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observation } from '../requests/observation.ts';
import { newRequestId } from '../requests/request-id.ts';

export interface ObservedAnswer extends Observation {
  readonly request: IncomingMessage;
  readonly status: number;
  /** From the beginning of the work to the last byte of the answer. */
  readonly milliseconds: number;
}

/** Called with every answer, such as the log and the metrics. It must not throw. */
export interface AnswerObserver {
  /** Whether it writes down the id of a request, so that the answer should name it. Default: false. */
  readonly writesIds?: boolean;
  onAnswer(answer: ObservedAnswer): void;
}

/** As nginx has it: the client was gone before there was an answer. */
const clientGone = 499;

/** What the pipeline fills in, for the observers to see once the answer is out. */
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
