import { clientsInBlock, toBlock } from '../addresses/client-block.ts';
import { createTokenBuckets } from './token-buckets.ts';

export interface RateLimiterOptions {
  /** Names the policy in the `RateLimit` headers. */
  readonly name: string;
  /** Requests per second in the long run. */
  readonly rate: number;
  /** Requests that a client that was quiet may send at once. */
  readonly burst: number;
  /** Clients remembered; the least recently seen is forgotten first. Default: 10,000. */
  readonly maxClients?: number;
  /** A clock that never jumps, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Flat list: `RateLimit-Policy` and `RateLimit`, and `Retry-After` on a refusal. */
  readonly headers: readonly string[];
}

export interface RateLimiter {
  /** The policy's name, as in the headers. */
  readonly name: string;
  /**
   * Takes `cost` tokens (default: 1), or none where the client has fewer left. A cost beyond the burst counts as the burst,
   * which a full bucket can pay; else nobody ever could.
   */
  take(client: string, cost?: number): RateLimitVerdict;
}

/** Lists of headers kept for the numbers of tokens left. */
const rememberedHeaders = 1_000;

/**
 * The headers follow draft-ietf-httpapi-ratelimit-headers: `q` requests in a window of `w` seconds, `r` left, and all
 * of them back after `t` seconds.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, rate, burst, maxClients = 10_000, now = () => performance.now() } = options;
  const clients = createTokenBuckets({ rate, burst, maxBuckets: maxClients });
  const blocks = createTokenBuckets({
    rate: rate * clientsInBlock,
    burst: burst * clientsInBlock,
    maxBuckets: maxClients,
  });
  const policy = ['RateLimit-Policy', `"${name}";q=${burst};w=${Math.ceil(burst / rate)}`];
  const allowedWith = new Map<number, RateLimitVerdict>();

  const toHeaders = (left: number) => [
    ...policy,
    'RateLimit',
    `"${name}";r=${left};t=${Math.ceil((burst - left) / rate)}`,
  ];
  function allow(left: number): RateLimitVerdict {
    let verdict = allowedWith.get(left);
    if (verdict === undefined) {
      verdict = { allowed: true, headers: toHeaders(left) };
      if (allowedWith.size >= rememberedHeaders) allowedWith.clear();
      allowedWith.set(left, verdict);
    }
    return verdict;
  }
  const refuse = (left: number, missing: number): RateLimitVerdict => ({
    allowed: false,
    headers: [...toHeaders(left), 'Retry-After', String(Math.max(1, Math.ceil(missing / rate)))],
  });
  // An empty bucket gains its next token after at most 1 / rate seconds, so one answer serves every refusal of a single one.
  const refused = refuse(0, 1);

  return {
    name,
    take(client, cost = 1) {
      const price = Math.min(cost, burst);
      const instant = now();
      const left = clients.take(client, price, instant);
      if (left < 0) return price === 1 ? refused : refuse(Math.floor(left + price), -left);
      // The client's own bucket first: one that is over its limit takes nothing from its neighbours.
      const block = toBlock(client);
      if (block !== undefined && blocks.take(block, price, instant) < 0) return refused;
      return allow(Math.floor(left));
    },
  };
}
