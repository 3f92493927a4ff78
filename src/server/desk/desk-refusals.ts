import type { FieldProblem, Read } from '../../announcements/plain-values.ts';
import { expiredTokenSentence } from '../../contract/credentials.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { HttpError } from '../http/errors.ts';

export type DeskError = HttpError<ErrorCode>;

const refusal = (...parts: ConstructorParameters<typeof HttpError<ErrorCode>>): DeskError =>
  new HttpError<ErrorCode>(...parts);

const bearer = ['WWW-Authenticate', 'Bearer'];

/** The same sentence for a missing and for every unknown token, so that it reveals nothing. */
export const unauthenticated = (): DeskError =>
  refusal(
    401,
    'UNAUTHENTICATED',
    'Send an editor token as "Authorization: Bearer …". The token is missing, wrong or was removed.',
    bearer,
  );

/** Only the holder of a token that was once valid gets this, so it does not help anybody who guesses. */
export const tokenExpired = (): DeskError => refusal(401, 'UNAUTHENTICATED', expiredTokenSentence, bearer);

export const tooManyWrongTokens = (seconds: number): DeskError =>
  refusal(
    429,
    'RATE_LIMITED',
    'Too many wrong tokens came from this address: wait as long as Retry-After says, then try again.',
    ['Retry-After', String(seconds)],
  );

export const tlsRequired = (): DeskError =>
  refusal(
    403,
    'TLS_REQUIRED',
    'Tokens are accepted over TLS only: use https, through a proxy that this server trusts (--trust-proxy) and that sends X-Forwarded-Proto.',
  );

export const foreignPage = (): DeskError =>
  refusal(403, 'ORIGIN_NOT_ALLOWED', 'Pages of other sites cannot edit, even if they are on the allow-list.');

/** The request is malformed, or too large. */
export const invalid = (problem: string): DeskError => refusal(400, 'INVALID_REQUEST', sentenceOf(problem));

/** The request is well-formed, but the announcements do not allow it. */
export const refused = (problem: string): DeskError => refusal(409, 'CHANGE_REFUSED', sentenceOf(problem));

export const notFound = (problem: string): DeskError =>
  refusal(404, 'ANNOUNCEMENT_NOT_FOUND', sentenceOf(problem));

export const changedMeanwhile = (what: string, revision: string): DeskError =>
  refusal(
    412,
    'CHANGED_MEANWHILE',
    sentenceOf(
      `something was changed meanwhile: ${what}. Your change was not made: read the announcements again, then decide`,
    ),
    ['ETag', `"${revision}"`],
  );

export const keyUsedTwice = (): DeskError =>
  refusal(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used for a different request. Nothing was changed: use a new key.',
  );

export const contentBroken = (): DeskError =>
  refusal(
    500,
    'INTERNAL_ERROR',
    'The content cannot be read or written now. Nothing was changed; the log of the server says why.',
  );

export const storeAway = (): DeskError =>
  refusal(
    503,
    'STORE_UNAVAILABLE',
    'The store does not answer now: check whether the change was made before you send it again.',
    ['Retry-After', '1'],
  );

/** Seconds: it takes a while until the operator has restored what the store has lost. */
const restoredAfter = '60';

export const editorsUnreadable = (): DeskError =>
  refusal(
    503,
    'STORE_UNAVAILABLE',
    'The list of editors cannot be read in the store, so no token can be checked now. Nothing was changed, and your token may be right; the log of the server says what is wrong.',
    ['Retry-After', restoredAfter],
  );

/** A sentence from a reason, which the rules write in lower case for use after a colon. */
function sentenceOf(text: string): string {
  const visible = visibleText(text);
  const first = /^[a-z]+(?= )/.test(visible) ? visible.charAt(0).toUpperCase() + visible.slice(1) : visible;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** Fields of a request are wrong; the sentence names all of them. */
export class FieldError extends HttpError<ErrorCode> {
  constructor(
    sentence: string,
    readonly problems: readonly FieldProblem[],
  ) {
    super(400, 'INVALID_REQUEST', sentence);
  }
}

export function fieldError(problems: readonly FieldProblem[]): FieldError {
  const sentences = problems.map(({ field, problem, fix }) => {
    const sentence = fix === undefined ? problem : `${problem}; ${fix}`;
    return unnamedFields.test(field) ? `${field}: ${sentence}` : sentence;
  });
  return new FieldError(sentenceOf(sentences.join('; ')), problems);
}

/** What was read. Throws a 400 that names all problems if it could not be. */
export function required<T>(read: Read<T>): T {
  if ('problems' in read) throw fieldError(read.problems);
  return read.value;
}

/** Fields whose problems do not name them. */
const unnamedFields = /^(?:at|expires)$|\./;
