import type { Problem } from '../../typing/rules/rules.ts';
import { HttpError } from '../http/errors.ts';
import type { Reply } from '../http/reply.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import { RoundNotStoredError } from '../stores/rounds.ts';

export const noContent: Reply = { status: 204, headers: ['Cache-Control', 'no-store'] };

/** The engine's answer. Throws the refusal if it is a problem. */
export function accepted<T extends object>(answer: T): Exclude<T, Refusal> {
  if ('problem' in answer) throw refused(answer as unknown as Refusal);
  return answer as Exclude<T, Refusal>;
}

/** The answer to a problem; `at`: the index of its input in a batch. */
export function refused({ problem: { code, message }, at }: Refusal): HttpError {
  return new HttpError(code, at === undefined ? message : `events[${at}]: ${message} Nothing was applied.`);
}

interface Refusal {
  readonly problem: Problem;
  readonly at?: number;
}

export const sessionNotFound = new HttpError(
  'SESSION_NOT_FOUND',
  'There is no session with this id. It may have expired, or belong to another player.',
);

// After a minute, a session may have expired or been deleted.
const later = ['Retry-After', '60'];

/** 503: the server is full; 429: this player or client has reached its limit of sessions. */
export const noRoom = {
  'store full': new HttpError(
    'SESSION_LIMIT_REACHED',
    'Too many sessions are open: delete one, or try again later.',
    later,
  ),
  'client full': new HttpError(
    'SESSION_LIMIT_REACHED',
    'This player or address has reached its limit of open sessions: delete one, or wait.',
    later,
    429,
  ),
} as const;

// The request may have been carried out; a numbered input can be sent again safely.
const storeAway = new HttpError(
  'STORE_UNAVAILABLE',
  'The store cannot be written to now, or does not answer: try again in a moment.',
  ['Retry-After', '1'],
);

const notStored = new HttpError(
  'INTERNAL_ERROR',
  'The round could not be saved, because the server has no room for more rounds. Nothing has changed: send it again later.',
);

/** The answer to an error of the game or the stores; other errors are returned as they are. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return storeAway;
  return error instanceof RoundNotStoredError ? notStored : error;
}
