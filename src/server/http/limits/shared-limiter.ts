import { clientsInBlock, toBlock } from '../../../kit/client-block.ts';
import { limits } from '../../settings/limits.ts';
import {
  createLimitHeaders,
  createRateLimiter,
  type LimitPolicy,
  type RateLimiter,
  type RateLimitVerdict,
  toPrice,
} from './rate-limiter.ts';

/** A token bucket that servers share. */
export interface SharedBucket {
  readonly name: string;
  /** Tokens gained per second, and tokens of a full bucket. */
  readonly rate: number;
  readonly burst: number;
}

/** The result of caller the buckets about one request. */
export interface Meter {
  readonly allowed: boolean;
  /** Tokens left in the first bucket, with a fraction. */
  readonly left: number;
  /** Milliseconds until the request would be allowed; 0 if it is. */
  readonly wait: number;
}

export interface SharedLimiterOptions extends LimitPolicy {
  /** Takes tokens from all these buckets, or from none. Undefined: the buckets cannot be reached now. */
  readonly meter: (buckets: readonly SharedBucket[], cost: number) => Promise<Meter | undefined>;
  /** Most clients whose refusals are remembered; the oldest is forgotten first. Default: 10,000. */
  readonly maxClients?: number;
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

interface Refusal {
  readonly price: number;
  readonly left: number;
  /** Time of `now`. */
  readonly until: number;
}

/**
 * One limit for a client of several servers. A refused client causes no further round trip until it may come again. While the
 * shared buckets cannot be reached, each server counts on its own.
 */
export function createSharedLimiter(options: SharedLimiterOptions): RateLimiter {
  const {
    name,
    rate,
    burst,
    meter,
    maxClients = limits.limitedClients,
    now = () => performance.now(),
  } = options;
  const headers = createLimitHeaders(options);
  const alone = createRateLimiter({ ...options, now, maxClients });
  const refusals = new Map<string, Refusal>();

  const remember = (client: string, refusal: Refusal) => {
    refusals.delete(client);
    refusals.set(client, refusal);
    if (refusals.size <= maxClients) return;
    const [oldest] = refusals.keys();
    refusals.delete(oldest as string);
  };
  const refuse = ({ left, until }: Refusal, paid: number) =>
    headers.refuse(Math.floor(left), (until - now()) / 1000 + paid / rate);
  const ask = async (client: string, price: number, paid: number): Promise<RateLimitVerdict> => {
    const meterReading = await meter(toBuckets(name, client, rate, burst), price);
    if (meterReading === undefined) return alone.take(client, price, paid);
    const { allowed, left, wait } = meterReading;
    if (allowed) return headers.allow(Math.floor(left));
    const refusal = { price, left, until: now() + wait };
    remember(client, refusal);
    return refuse(refusal, paid);
  };

  return {
    name,
    take(client, cost = 1, paid = 0) {
      const price = toPrice(cost, paid, burst);
      const known = refusals.get(client);
      if (known !== undefined) {
        if (now() >= known.until) refusals.delete(client);
        else if (price >= known.price) return refuse(known, paid);
      }
      return ask(client, price, paid);
    },
  };
}

/** The client's own bucket first, then that of its block. */
function toBuckets(policy: string, client: string, rate: number, burst: number): SharedBucket[] {
  const block = toBlock(client);
  const own = { name: `${policy} ${client}`, rate, burst };
  if (block === undefined) return [own];
  const widest = {
    name: `${policy} ${block}`,
    rate: rate * clientsInBlock,
    burst: burst * clientsInBlock,
  };
  return [own, widest];
}
