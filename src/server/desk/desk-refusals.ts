import type { FieldProblem, Read } from '../../announcements/plain-values.ts';
import { visibleText } from '../../kit/visible-text.ts';
import { HttpError } from '../http/errors.ts';

/** The request is malformed, or too large. */
export const invalid = (problem: string) => new HttpError('INVALID_REQUEST', sentenceOf(problem));

/** The request is well-formed, but the announcements do not allow it. */
export const refused = (problem: string) => new HttpError('CHANGE_REFUSED', sentenceOf(problem));

export const notFound = (problem: string) => new HttpError('ANNOUNCEMENT_NOT_FOUND', sentenceOf(problem));

export const contentBroken = new HttpError(
  'INTERNAL_ERROR',
  'The content cannot be read or written now. Nothing was changed; the log of the server says why.',
);

export const storeAway = new HttpError(
  'STORE_UNAVAILABLE',
  'The store does not answer now: check whether the change was made before you send it again.',
  ['Retry-After', '1'],
);

/** A sentence from a reason, which the rules write in lower case for use after a colon. */
export function sentenceOf(text: string): string {
  const visible = visibleText(text);
  const first = /^[a-z]+(?= )/.test(visible) ? visible.charAt(0).toUpperCase() + visible.slice(1) : visible;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** Fields of a request are wrong; the sentence names all of them. */
export class FieldError extends HttpError {
  constructor(
    sentence: string,
    readonly problems: readonly FieldProblem[],
  ) {
    super('INVALID_REQUEST', sentence);
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
