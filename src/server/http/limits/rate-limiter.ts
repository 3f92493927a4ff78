import { clientsInBlock, toBlock } from '../../../kit/client-block.ts';
import { createLimitHeaders, type LimitPolicy, type RateLimitVerdict } from './limit-headers.ts';
import { createTokenBuckets } from './token-buckets.ts';

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
  /** Takes tokens for work that is already done: a client that has fewer left goes into debt. */
  spend(client: string, cost: number): Promise<void> | undefined;
}

/** Counts in this process, and is synchronous. */
export interface LocalRateLimiter extends RateLimiter {
  take(client: string, cost?: number, paid?: number): RateLimitVerdict;
  spend(client: string, cost: number): undefined;
}

export interface RateLimiterOptions extends LimitPolicy {
  /** Most clients remembered; the least recently seen is forgotten first. Default: 10,000. */
  readonly maxClients?: number;
  /** Monotonic clock, in milliseconds. Default: `performance.now`. */
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
    spend(client, cost) {
      const instant = now();
      clients.spend(client, cost, instant);
      const block = toBlock(client);
      if (block !== undefined) blocks.spend(block, cost, instant);
    },
  };
}

/** The price of a cost: together with the tokens paid before, at most a full bucket. */
export function toPrice(cost: number, paid: number, burst: number): number {
  return Math.min(cost, Math.max(0, burst - paid));
}
