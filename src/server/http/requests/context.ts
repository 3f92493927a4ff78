import { randomBytes } from 'node:crypto';
import type { RateLimiter, RateLimitVerdict } from '../limits/rate-limiter.ts';
import { HttpError } from './http-error.ts';
import type { RequestHead } from './request-head.ts';

/** Facts about a request that the pipeline collects. Made only if there are observers. */
export interface Observation {
  /** Identifies the request in the log and in answers; undefined if no observer records it. */
  readonly id: string | undefined;
  /** Pattern of the matched route, such as `/api/sessions/:id/state`; undefined if there is none. */
  route: string | undefined;
  /** Name of the rate limit that refused the request; undefined if none did. */
  refusedBy: string | undefined;
}

/** Headers by their lower-case names; values of a repeated one are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Everything that a handler may use of a request, which came over HTTP or through a local transport. */
export interface Context {
  /** The method as sent, in upper case; HEAD requests reach the GET handler with `HEAD` here. */
  readonly method: string;
  /** The path of the target, canonical, so that paths can be compared byte for byte. */
  readonly path: string;
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** The headers that most answers depend on, cheaper than `headers`. */
  readonly head: RequestHead;
  readonly headers: RequestHeaders;
  /** The client that limits count: an IPv4 address, or the /64 of an IPv6 one. */
  readonly client: string;
  /** Address of the other end of the connection; empty if it has just been closed. */
  readonly peer: string;
  /**
   * Reads the body, a JSON object of at most `maxBytes` (default: 16 KiB); an empty body is an empty object. Rejects with 413
   * `REQUEST_TOO_LARGE`, 415 `UNSUPPORTED_MEDIA_TYPE`, or 400 `INVALID_REQUEST` that names the place of the mistake.
   */
  json(maxBytes?: number): Promise<Record<string, unknown>>;
  /** Use `requestIdOf`, which makes it on demand: most requests never need one. */
  id: string | undefined;
  /** Undefined if there are no observers. */
  readonly observation: Observation | undefined;
  /** The limiter that this request counts towards. Use it through `charge`. */
  limiter: RateLimiter | undefined;
  /** Tokens requested so far. */
  asked: number;
  /** The limiter's latest headers for the answer. */
  limitHeaders: readonly string[];
}

/** Identifies this request in the log and in the `Request-Id` header of error answers. */
export function requestIdOf(context: Context): string {
  context.id ??= newRequestId();
  return context.id;
}

/** 96 random bits: unlike a counter, they tell a client nothing about other requests. */
export function newRequestId(): string {
  return randomBytes(12).toString('hex');
}

/** Takes all these tokens from the client's limit, or none and returns `false`. Synchronous if the limiter is. True without a limit. */
export function takeTokens(context: Context, tokens: number): boolean | Promise<boolean> {
  const verdict = tokens > 0 ? context.limiter?.take(context.client, tokens, context.asked) : undefined;
  if (verdict === undefined) return true;
  context.asked += tokens;
  if (verdict instanceof Promise) return verdict.then((late) => heed(context, late));
  return heed(context, verdict);
}

function heed(context: Context, verdict: RateLimitVerdict): boolean {
  context.limitHeaders = verdict.headers;
  if (!verdict.allowed && context.observation !== undefined) {
    context.observation.refusedBy = context.limiter?.name;
  }
  return verdict.allowed;
}

export const tooManyRequests = {
  status: 429,
  code: 'RATE_LIMITED',
  message: 'Too many requests: wait as long as Retry-After says, then try again.',
} as const;

/** For a request whose body decides what it costs beyond the price of its route. Rejects with a 429, without taking any, if too few tokens are left. */
export async function charge(context: Context, tokens: number): Promise<void> {
  const { status, code, message } = tooManyRequests;
  if (!(await takeTokens(context, tokens))) throw new HttpError(status, code, message);
}
