import type { IncomingMessage } from 'node:http';
import type { RateLimitVerdict } from '../limits/limit-headers.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { BodyBudget } from './body-budget.ts';
import { HttpError } from './http-error.ts';
import type { Observation } from './observation.ts';
import type { RequestHead } from './request-head.ts';
import { newRequestId } from './request-id.ts';

/** What a handler may know of one request. Made by the pipeline, once. */
export interface Context {
  readonly request: IncomingMessage;
  /** The headers that most answers depend on, without the cost of all the others. */
  readonly head: RequestHead;
  /** The method as sent, upper case; a HEAD request reaches the GET handler with `HEAD` here. */
  readonly method: string;
  /** The path of the target: canonical, so that it compares byte for byte. */
  readonly path: string;
  /** The query as sent, without the question mark; empty where there is none. */
  readonly query: string;
  /** Who asks, as far as limits go: an IPv4 address or the /64 of an IPv6 one. */
  readonly client: string;
  /** What large bodies count towards, all of them together. */
  readonly bodyBudget: BodyBudget;
  /** Read it by `requestIdOf`: most requests never need one. */
  id: string | undefined;
  /** Undefined where nobody observes. */
  readonly observation: Observation | undefined;
  /** The limiter that this request counts towards. Use it by `charge`. */
  limiter: RateLimiter | undefined;
  /** Tokens that this request has asked for so far. */
  asked: number;
  /** What the limiter said last, as headers of the answer. */
  limitHeaders: readonly string[];
}

/** Names this request in the log and in the `Request-Id` header of error answers. */
export function requestIdOf(context: Context): string {
  context.id ??= newRequestId();
  return context.id;
}

/** Takes tokens of this client's limit, where there is one: all of them, or none and `false`. At once where the limiter does. */
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
 * For a handler that finds its request worth more than one token. Throws 429 where too few are left, and takes none then.
 * Undefined where that is known at once.
 */
export function charge(context: Context, tokens: number): Promise<void> | undefined {
  const isPaid = takeTokens(context, tokens);
  if (isPaid instanceof Promise) return isPaid.then(requirePaid);
  requirePaid(isPaid);
  return undefined;
}

/** Throws 429 where this client still owes tokens. */
export async function expectPaid(context: Context): Promise<void> {
  const verdict = await context.limiter?.take(context.client, 0, context.asked);
  if (verdict !== undefined) requirePaid(heed(context, verdict));
}

/** For work that is done already, whose cost nobody knew before: the client's next requests wait until it is paid. */
export function spend(context: Context, tokens: number): Promise<void> | undefined {
  return tokens > 0 ? context.limiter?.spend(context.client, tokens) : undefined;
}

function requirePaid(isPaid: boolean): void {
  const { status, code, message } = tooManyRequests;
  if (!isPaid) throw new HttpError(status, code, message);
}
