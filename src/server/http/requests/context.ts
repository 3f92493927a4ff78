import type { IncomingMessage } from 'node:http';
import type { RateLimitVerdict } from '../limits/limit-headers.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { BodyBudget } from './body-budget.ts';
import { HttpError } from './http-error.ts';
import type { Observation } from './observation.ts';
import type { RequestHead } from './request-head.ts';
import { newRequestId } from './request-id.ts';

/** Everything that a handler may use of a request. Made once, by the pipeline. */
export interface Context {
  readonly request: IncomingMessage;
  /** The headers that most answers depend on, cheaper than all headers. */
  readonly head: RequestHead;
  /** The method as sent, in upper case; HEAD requests reach the GET handler with `HEAD` here. */
  readonly method: string;
  /** The path of the target, canonical, so that paths can be compared byte for byte. */
  readonly path: string;
  /** The query as sent, without the question mark; empty if there is none. */
  readonly query: string;
  /** The client that limits count: an IPv4 address, or the /64 of an IPv6 one. */
  readonly client: string;
  /** The budget that all large bodies share. */
  readonly bodyBudget: BodyBudget;
  /** Use `requestIdOf`, which makes it on demand: most requests never need one. */
  id: string | undefined;
  /** Waits before a body of so many bytes is parsed, because its work may take many times its memory. Undefined: there is nothing to wait for. */
  takeTurn: ((bytes: number) => Promise<void>) | undefined;
  /** Undefined if there are no observers. */
  readonly observation: Observation | undefined;
  /** The limiter that this request counts towards. Use it through `charge` and `spend`. */
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

/**
 * For requests that cost more than one token. Throws a 429, without taking any, if too few are left. Returns undefined if the
 * limiter is synchronous.
 */
export function charge(context: Context, tokens: number): Promise<void> | undefined {
  const isPaid = takeTokens(context, tokens);
  if (isPaid instanceof Promise) return isPaid.then(requirePaid);
  requirePaid(isPaid);
  return undefined;
}

/** Rejects with a 429 if this client still owes tokens. */
export async function expectPaid(context: Context): Promise<void> {
  const verdict = await context.limiter?.take(context.client, 0, context.asked);
  if (verdict !== undefined) requirePaid(heed(context, verdict));
}

/** For work already done whose cost was not known in advance: the client's next requests have to wait until it is paid. */
export function spend(context: Context, tokens: number): Promise<void> | undefined {
  return tokens > 0 ? context.limiter?.spend(context.client, tokens) : undefined;
}

function requirePaid(isPaid: boolean): void {
  const { status, code, message } = tooManyRequests;
  if (!isPaid) throw new HttpError(status, code, message);
}
