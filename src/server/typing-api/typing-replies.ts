import { HttpError } from '../http/http-error.ts';
import { type Reply, toJsonReply } from '../http/reply.ts';
import type { Problem } from '../typing/problem.ts';
import type { InputResult } from '../typing/progress.ts';

/** Seconds after which a full server is worth another try: by then a session may have expired or been deleted. */
const retryAfter = '60';

export const sessionNotFound = () =>
  new HttpError(404, 'SESSION_NOT_FOUND', 'There is no session with this id. It may have expired.');

export const sessionLimitReached = () =>
  new HttpError(503, 'SESSION_LIMIT_REACHED', 'Too many sessions are open: delete one, or try again later.', [
    'Retry-After',
    retryAfter,
  ]);

export const notSaved = () =>
  new HttpError(
    500,
    'INTERNAL_ERROR',
    'The finished rounds could not be written to disk. They stay in memory, and the next save tries again.',
  );

/** The result of an action on a session; throws the error that it was refused with. */
export function resultOf<T>(outcome: T | Refused | undefined): Exclude<T, Refused> {
  if (outcome === undefined) throw sessionNotFound();
  if (!isRefused(outcome)) return outcome as Exclude<T, Refused>;
  const { problem, at } = outcome;
  const message =
    at === undefined ? problem.message : `events[${at}]: ${problem.message} Nothing was applied.`;
  throw new HttpError(400, problem.code, message);
}

/** The answer to one key. Put together by hand: a serializer would take ten times as long, and there is one for every key. */
export function toKeyReply(outcome: InputResult | Refused | undefined): Reply {
  const result = resultOf(outcome);
  return { ...keyReply, body: toKeyText(result) };
}

const keyReply = toJsonReply(200, null);

function toKeyText(result: InputResult): string {
  if ('is_correct' in result) {
    const { is_correct, timer_started, char_index } = result;
    return `{"is_correct":${is_correct},"timer_started":${timer_started},"char_index":${char_index}}`;
  }
  return JSON.stringify(result);
}

export function toOutcomeReply(outcome: object | undefined): Reply {
  return toJsonReply(200, resultOf(outcome));
}

/** An action that the engine refused; `at` tells which event of a batch. */
interface Refused {
  readonly problem: Problem;
  readonly at?: number;
}

function isRefused(outcome: unknown): outcome is Refused {
  return typeof outcome === 'object' && outcome !== null && 'problem' in outcome;
}
