import { clientsInBlock, toBlock } from '../../../kit/client-block.ts';
import { limits } from '../../settings/limits.ts';
import { createTokenBuckets } from './token-buckets.ts';

export interface LimitPolicy {
  /** Name of the policy in the `RateLimit` headers. */
  readonly name: string;
  /** Long-term requests per second. */
  readonly rate: number;
  /** Requests that a client may send at once after a pause. */
  readonly burst: number;
}

export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Flat list: `RateLimit-Policy` and `RateLimit`, and `Retry-After` on a refusal. */
  readonly headers: readonly string[];
}

export interface RateLimiter {
  /** Name of the policy, as in the headers. */
  readonly name: string;
  /**
   * Takes `cost` tokens (default: 1), or none if the client has fewer left. Returns a promise only if the tokens are not in
   * this process.
   *
   * @param paid tokens that the same request has taken before. The total price is limited to the burst, since nobody could
   *   ever pay more. A refusal says when all of it could be paid.
   */
  take(client: string, cost?: number, paid?: number): RateLimitVerdict | Promise<RateLimitVerdict>;
}

/** Counts in this process, and is synchronous. */
export interface LocalRateLimiter extends RateLimiter {
  take(client: string, cost?: number, paid?: number): RateLimitVerdict;
}

export interface RateLimiterOptions extends LimitPolicy {
  /** So many of the clients seen last are remembered. Default: 10,000. */
  readonly maxClients?: number;
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export function createRateLimiter(options: RateLimiterOptions): LocalRateLimiter {
  const { name, rate, burst, maxClients = limits.limitedClients, now = () => performance.now() } = options;
  const clients = createTokenBuckets({ rate, burst, maxBuckets: maxClients });
  const blocks = createTokenBuckets({
    rate: rate * clientsInBlock,
    burst: burst * clientsInBlock,
    maxBuckets: maxClients,
  });
  const headers = createLimitHeaders(options);
  // An empty bucket gains its next token within 1 / rate seconds, so one prepared answer serves every refusal of a single token.
  const refused = headers.refuse(0, 1 / rate);

  return {
    name,
    take(client, cost = 1, paid = 0) {
      const price = toPrice(cost, paid, burst);
      const instant = now();
      const left = clients.take(client, price, instant);
      if (left < 0) {
        const present = left + price;
        if (price === 1 && paid === 0 && present >= 0) return refused;
        return headers.refuse(Math.max(0, Math.floor(present)), (paid - left) / rate);
      }
      // The client's own bucket first, so that a client over its limit takes nothing from its neighbours.
      const block = toBlock(client);
      if (block !== undefined && blocks.take(block, price, instant) < 0) return refused;
      return headers.allow(Math.floor(left));
    },
  };
}

/** The price of a cost: together with the tokens paid before, at most a full bucket. */
export function toPrice(cost: number, paid: number, burst: number): number {
  return Math.min(cost, Math.max(0, burst - paid));
}

/** Turns the decisions of a limiter into headers. */
export interface LimitHeaders {
  /** @param left whole tokens that the client has left */
  allow(left: number): RateLimitVerdict;
  /** @param seconds time until the request would be allowed, with a fraction */
  refuse(left: number, seconds: number): RateLimitVerdict;
}

/** Prepared lists of headers, one for each number of tokens left. */
const remembered = 1_000;

/**
 * The headers follow draft-ietf-httpapi-ratelimit-headers: `q` requests in a window of `w` seconds, `r` left, and all
 * of them back after `t` seconds.
 */
export function createLimitHeaders({ name, rate, burst }: LimitPolicy): LimitHeaders {
  const policy = ['RateLimit-Policy', `"${name}";q=${burst};w=${Math.ceil(burst / rate)}`];
  const allowedWith = new Map<number, RateLimitVerdict>();
  const toHeaders = (left: number) => [
    ...policy,
    'RateLimit',
    `"${name}";r=${left};t=${Math.ceil((burst - left) / rate)}`,
  ];
  return {
    allow(left) {
      let verdict = allowedWith.get(left);
      if (verdict === undefined) {
        verdict = { allowed: true, headers: toHeaders(left) };
        if (allowedWith.size >= remembered) allowedWith.clear();
        allowedWith.set(left, verdict);
      }
      return verdict;
    },
    refuse: (left, seconds) => ({
      allowed: false,
      headers: [...toHeaders(left), 'Retry-After', String(Math.max(1, Math.ceil(seconds)))],
    }),
  };
}
