import type { ErrorCode } from '../../../contract/error-codes.ts';

/**
 * Why a request did not do its work. `away`: nobody answered, or the server is in trouble, so the same request may
 * succeed later. `refused`: the server understood and said no, so the same request would be refused again. `foreign`: something
 * else answered in its place, such as the login page of a network or a proxy; that may end, but not while the typist waits.
 */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  constructor(
    readonly kind: 'away' | 'refused' | 'foreign',
    message: string,
    /** The code of the API's error body; undefined when there was none, or none that the contract knows. */
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

/** A server that is only busy says so with a code. */
export function isUnreachable(problem: unknown): boolean {
  return problem instanceof ServerProblem && problem.kind === 'away' && problem.code === undefined;
}

/** Whether the server does not know the session, or nothing of a round in it. */
export function isLostSession(problem: ServerProblem): boolean {
  return problem.code === 'SESSION_NOT_FOUND' || problem.code === 'ROUND_NOT_STARTED';
}

/** Text from elsewhere, safe to put on a terminal: no control characters, and not endless. */
export function toShownText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200);
}
