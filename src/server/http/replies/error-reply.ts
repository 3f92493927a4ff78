import type { KitCode } from '../requests/http-error.ts';
import type { Reply } from './reply.ts';

/** The contents of an error answer; an HttpError has them. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  /** One sentence for people that contains nothing from the request. */
  readonly message: string;
  /** Flat list of further headers. */
  readonly headers: readonly string[];
}

/** An error that is known before any handler is called. */
export interface Refusal extends ErrorFacts {
  readonly code: KitCode;
  /** Whether its answer closes the connection. */
  readonly isLast: boolean;
}

/** The documented error: `{"error": sentence, "code": CODE}`, not cacheable unless the error says otherwise. */
export function errorReply({ status, code, message, headers }: ErrorFacts): Reply {
  const body = JSON.stringify({ error: message, code });
  return {
    status,
    headers: ['Content-Type', 'application/json', ...cacheControl(headers), ...headers],
    body,
  };
}

/** Errors are not cached, unless their headers say otherwise. */
export function cacheControl(headers: readonly string[]): readonly string[] {
  return headers.includes('Cache-Control') ? [] : ['Cache-Control', 'no-store'];
}
