import { blockOf, clientsPerBlock } from '../../kit/address.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import { type LimitPolicy, limits, type Meter } from '../settings/limits.ts';

export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Flat list: `RateLimit-Policy` and `RateLimit`, and `Retry-After` on a refusal. */
  readonly headers: readonly string[];
}

export interface RateLimiter {
  readonly name: string;
  /**
   * Takes `cost` tokens (default: 1), or none if the client has fewer. Returns a promise only if the tokens
   * are counted outside this process.
   *
   * @param paid tokens that the same request has taken before. The total is limited to the burst, since no
   * client could ever have more. A refusal says when all of it could be taken.
   */
  take(client: string, cost?: number, paid?: number): RateLimitVerdict | Promise<RateLimitVerdict>;
}

interface RateLimiterOptions extends LimitPolicy {
  /** Maximum number of clients remembered, the latest ones. Default: 10,000. */
  readonly maxClients?: number;
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Counts in this process, and is synchronous. */
export function createRateLimiter(options: RateLimiterOptions) {
  const { name, rate, burst, maxClients = limits.limitedClients, now = () => performance.now() } = options;
  const clients = createTokenBuckets({ rate, burst, maxBuckets: maxClients });
  const blocks = createTokenBuckets({
    rate: rate * clientsPerBlock,
    burst: burst * clientsPerBlock,
    maxBuckets: maxClients,
  });
  const verdictOf = createVerdicts(options);

  return {
    name,
    take(client: string, cost = 1, paid = 0): RateLimitVerdict {
      const price = priceOf(cost, paid, burst);
      const instant = now();
      const left = clients.take(client, price, instant);
      if (left < 0) {
        // An empty bucket gains its next token within 1 / rate seconds: one answer for all refusals of one token.
        const missing = price === 1 ? 1 : -left;
        return verdictOf(left + price, (paid + missing) / rate);
      }
      // The client's own bucket first, so that a client over its limit takes nothing from its neighbours.
      const block = blockOf(client);
      if (block !== undefined && blocks.take(block, price, instant) < 0) return verdictOf(0, 1 / rate);
      return verdictOf(left);
    },
  };
}

/** The price of a cost: together with the tokens paid before, at most a full bucket. */
function priceOf(cost: number, paid: number, burst: number): number {
  return Math.min(cost, Math.max(0, burst - paid));
}

const maxVerdicts = 1_000;

/**
 * Returns verdicts with their headers, which are made once for each number of tokens left. The headers follow
 * draft-ietf-httpapi-ratelimit-headers: `q` requests in a window of `w` seconds, `r` left, and all of them
 * back after `t` seconds.
 */
function createVerdicts({ name, rate, burst }: LimitPolicy) {
  const policy = ['RateLimit-Policy', `"${name}";q=${burst};w=${Math.ceil(burst / rate)}`];
  const made = new Map<number | string, RateLimitVerdict>();
  /**
   * @param tokens that the client has left
   * @param seconds time until the request would be allowed; undefined: it is
   */
  return (tokens: number, seconds?: number): RateLimitVerdict => {
    const left = Math.floor(tokens);
    const wait = seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds));
    const key = wait === undefined ? left : `${left} ${wait}`;
    let verdict = made.get(key);
    if (verdict === undefined) {
      const all = Math.ceil((burst - left) / rate);
      const retry = wait === undefined ? [] : ['Retry-After', String(wait)];
      const headers = [...policy, 'RateLimit', `"${name}";r=${left};t=${all}`, ...retry];
      verdict = { allowed: wait === undefined, headers };
      if (made.size >= maxVerdicts) made.clear();
      made.set(key, verdict);
    }
    return verdict;
  };
}

interface TokenBucketsOptions extends Omit<LimitPolicy, 'name'> {
  /** At least so many of the buckets used last are remembered, and at most twice as many. */
  readonly maxBuckets: number;
}

interface Bucket {
  tokens: number;
  time: number;
}

/**
 * Token buckets by name (Partridge and Shenker; RFC 2697 describes the same meter). A bucket holds up to
 * `burst` tokens and gains `rate` per second; an unused one is full.
 */
export function createTokenBuckets({ rate, burst, maxBuckets }: TokenBucketsOptions) {
  const buckets = createRecentCache<Bucket>(2 * maxBuckets);

  function find(name: string, now: number): Bucket {
    let bucket = buckets.get(name);
    if (bucket === undefined) {
      bucket = { tokens: burst, time: now };
      buckets.put(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.time) / 1000) * rate);
    bucket.time = now;
    return bucket;
  }

  return {
    /**
     * Takes `price` tokens if there are enough, and returns the tokens left. Otherwise takes none, and
     * returns minus the number of missing tokens.
     *
     * @param now in milliseconds, of a monotonic clock
     */
    take(name: string, price: number, now: number): number {
      const bucket = find(name, now);
      const left = bucket.tokens - price;
      if (left >= 0) bucket.tokens = left;
      return left;
    },
    /** Takes `price` tokens in any case: the bucket may go into debt. */
    spend(name: string, price: number, now: number): void {
      find(name, now).tokens -= price;
    },
  };
}

interface SharedLimiterOptions extends RateLimiterOptions {
  /** Takes tokens from all these buckets, or from none. Undefined: the buckets cannot be reached now. */
  readonly meter: (buckets: readonly LimitPolicy[], cost: number) => Promise<Meter | undefined>;
}

/**
 * One limit for a client of several servers. While the shared buckets cannot be reached, each server counts
 * on its own.
 */
export function createSharedLimiter(options: SharedLimiterOptions): RateLimiter {
  const { name, rate, burst, meter } = options;
  const verdictOf = createVerdicts(options);
  const alone = createRateLimiter(options);
  return {
    name,
    async take(client, cost = 1, paid = 0) {
      const price = priceOf(cost, paid, burst);
      const reading = await meter(bucketsOf(options, client), price);
      if (reading === undefined) return alone.take(client, price, paid);
      const wait = reading.wait / 1000 + paid / rate;
      return verdictOf(reading.left, reading.allowed ? undefined : wait);
    },
  };
}

/** The client's own bucket first, then that of its block. */
function bucketsOf({ name, rate, burst }: LimitPolicy, client: string): LimitPolicy[] {
  const block = blockOf(client);
  const own = { name: `${name} ${client}`, rate, burst };
  if (block === undefined) return [own];
  const shared = { name: `${name} ${block}`, rate: rate * clientsPerBlock, burst: burst * clientsPerBlock };
  return [own, shared];
}
