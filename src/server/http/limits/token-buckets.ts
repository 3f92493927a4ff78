import { createRecencyRing } from './recency-ring.ts';

export interface TokenBucketsOptions {
  /** Tokens that a bucket gains per second. */
  readonly rate: number;
  /** Tokens that a full bucket holds. */
  readonly burst: number;
  /** Most buckets remembered; the least recently used is forgotten first. */
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

/**
 * Token buckets by name (Partridge and Shenker; RFC 2697 describes the same meter). A bucket holds up to `burst` tokens and
 * gains `rate` per second; an unused one is full.
 *
 * Numbers in flat arrays instead of an object per bucket: lookups, and forgetting the oldest, cost the same for one client and
 * for a million, and make no garbage.
 */
export function createTokenBuckets({ rate, burst, maxBuckets }: TokenBucketsOptions): TokenBuckets {
  const places = new Map<string, number>();
  const names: string[] = [];
  const tokens = new Float64Array(maxBuckets);
  /** When `tokens` was last updated. */
  const times = new Float64Array(maxBuckets);
  const ring = createRecencyRing(maxBuckets);

  function add(name: string, now: number): number {
    let place = names.length;
    if (place === maxBuckets) {
      place = ring.oldest();
      places.delete(names[place] as string);
      ring.touch(place);
    } else ring.add(place);
    names[place] = name;
    places.set(name, place);
    tokens[place] = burst;
    times[place] = now;
    return place;
  }

  function find(name: string, now: number): number {
    const place = places.get(name);
    if (place === undefined) return add(name, now);
    const gained = ((now - (times[place] as number)) / 1000) * rate;
    tokens[place] = Math.min(burst, (tokens[place] as number) + gained);
    times[place] = now;
    ring.touch(place);
    return place;
  }

  return {
    take(name, price, now) {
      const place = find(name, now);
      const left = (tokens[place] as number) - price;
      if (left >= 0) tokens[place] = left;
      return left;
    },
    spend(name, price, now) {
      const place = find(name, now);
      tokens[place] = (tokens[place] as number) - price;
    },
  };
}
