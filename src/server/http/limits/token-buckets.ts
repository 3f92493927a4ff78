export interface TokenBucketsOptions {
  /** Tokens that a bucket gains per second. */
  readonly rate: number;
  /** Tokens that a full bucket holds. */
  readonly burst: number;
  /** So many of the buckets used last are remembered, and at most twice as many. */
  readonly maxBuckets: number;
}

export interface TokenBuckets {
  /**
   * Takes `price` tokens if there are enough, and returns the tokens left. Otherwise takes none, and returns minus the number
   * of missing tokens.
   *
   * @param now in milliseconds, of a monotonic clock
   */
  take(name: string, price: number, now: number): number;
  /** Takes `price` tokens in any case: the bucket may go into debt. */
  spend(name: string, price: number, now: number): void;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was last updated. */
  time: number;
}

/**
 * Token buckets by name (Partridge and Shenker; RFC 2697 describes the same meter). A bucket holds up to `burst` tokens and
 * gains `rate` per second; an unused one is full.
 *
 * Buckets move to the newer of two maps when they are used. When that is full, it becomes the older one, and the buckets that are still
 * in the old one are forgotten: at the same cost for one client and for a million.
 */
export function createTokenBuckets({ rate, burst, maxBuckets }: TokenBucketsOptions): TokenBuckets {
  let newer = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();

  function find(name: string, now: number): Bucket {
    const recent = newer.get(name);
    const bucket = recent ?? older.get(name) ?? { tokens: burst, time: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.time) / 1000) * rate);
    bucket.time = now;
    if (recent === undefined) {
      if (newer.size >= maxBuckets) {
        older = newer;
        newer = new Map();
      }
      newer.set(name, bucket);
    }
    return bucket;
  }

  return {
    take(name, price, now) {
      const bucket = find(name, now);
      const left = bucket.tokens - price;
      if (left >= 0) bucket.tokens = left;
      return left;
    },
    spend(name, price, now) {
      find(name, now).tokens -= price;
    },
  };
}
