import { clientsInBlock, toBlock } from '../../../kit/client-block.ts';
import { createLimitHeaders, type LimitPolicy, type RateLimitVerdict } from './limit-headers.ts';
import { createTokenBuckets } from './token-buckets.ts';

export interface RateLimiter {
  /** The policy's name, as in the headers. */
  readonly name: string;
  /**
   * Takes `cost` tokens (default: 1), or none where the client has fewer left. A promise only where the tokens are not in
   * this process.
   *
   * @param paid what the same request has taken before. All it takes counts as the burst at most, which a full bucket can
   *   pay; else nobody ever could. A refusal says when all of it could be paid.
   */
  take(client: string, cost?: number, paid?: number): RateLimitVerdict | Promise<RateLimitVerdict>;
  /** Takes tokens for work that is done already: a client that has fewer left waits until it has gained them. */
  spend(client: string, cost: number): Promise<void> | undefined;
}

/** Counts in this process, and answers at once. */
export interface LocalRateLimiter extends RateLimiter {
  take(client: string, cost?: number, paid?: number): RateLimitVerdict;
  spend(client: string, cost: number): undefined;
}

export interface RateLimiterOptions extends LimitPolicy {
  /** Clients remembered; the least recently seen is forgotten first. Default: 10,000. */
  readonly maxClients?: number;
  /** A clock that never jumps, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

export function createRateLimiter(options: RateLimiterOptions): LocalRateLimiter {
  const { name, rate, burst, maxClients = 10_000, now = () => performance.now() } = options;
  const clients = createTokenBuckets({ rate, burst, maxBuckets: maxClients });
  const blocks = createTokenBuckets({
    rate: rate * clientsInBlock,
    burst: burst * clientsInBlock,
    maxBuckets: maxClients,
  });
  const headers = createLimitHeaders(options);
  // An empty bucket gains its next token after at most 1 / rate seconds, so one answer serves every refusal of a single one.
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
      // The client's own bucket first: one that is over its limit takes nothing from its neighbours.
      const block = toBlock(client);
      if (block !== undefined && blocks.take(block, price, instant) < 0) return refused;
      return headers.allow(Math.floor(left));
    },
    spend(client, cost) {
      const instant = now();
      clients.spend(client, cost, instant);
      const block = toBlock(client);
      if (block !== undefined) blocks.spend(block, cost, instant);
    },
  };
}

/** What is taken of a cost: together with what was paid before, no more than a full bucket holds. */
export function toPrice(cost: number, paid: number, burst: number): number {
  return Math.min(cost, Math.max(0, burst - paid));
}
