export interface TokenBucketsOptions {
  /** Tokens that a bucket gains a second. */
  readonly rate: number;
  /** Tokens that a full bucket holds. */
  readonly burst: number;
  /** Buckets remembered; the least recently used is forgotten first. */
  readonly maxBuckets: number;
}

export interface TokenBuckets {
  /**
   * Takes `price` tokens where there are so many: the tokens left. Else takes none: the tokens missing, as a negative number.
   *
   * @param now in milliseconds, of a clock that never jumps
   */
  take(name: string, price: number, now: number): number;
  /** Takes `price` tokens of what was used already: the bucket may owe some afterwards, which it gains back first. */
  spend(name: string, price: number, now: number): void;
}

/**
 * Token buckets by name (Partridge and Shenker; RFC 2697 describes the same meter). A bucket holds up to `burst` tokens and
 * gains `rate` a second; one that nobody used yet is full.
 *
 * Numbers in flat lists and a ring through them instead of an object a bucket: a look-up, and the forgetting of the oldest,
 * cost the same for one client and for a million, and make no garbage. (A `Map` in the order of use walks its deleted entries
 * to find its oldest, which cost 20 µs from the first forgotten client on.)
 */
export function createTokenBuckets({ rate, burst, maxBuckets }: TokenBucketsOptions): TokenBuckets {
  const places = new Map<string, number>();
  const names: string[] = [];
  const tokens = new Float64Array(maxBuckets);
  /** When `tokens` was true. */
  const times = new Float64Array(maxBuckets);
  /** The ring, in the order of use; one place more for its ends. */
  const older = new Uint32Array(maxBuckets + 1);
  const newer = new Uint32Array(maxBuckets + 1);
  const ends = maxBuckets;
  older[ends] = ends;
  newer[ends] = ends;

  function unlink(place: number): void {
    const before = older[place] as number;
    const after = newer[place] as number;
    newer[before] = after;
    older[after] = before;
  }

  function linkAsNewest(place: number): void {
    const newest = older[ends] as number;
    newer[newest] = place;
    older[place] = newest;
    newer[place] = ends;
    older[ends] = place;
  }

  function add(name: string, now: number): number {
    let place = names.length;
    if (place === maxBuckets) {
      place = newer[ends] as number;
      places.delete(names[place] as string);
      unlink(place);
    }
    names[place] = name;
    places.set(name, place);
    tokens[place] = burst;
    times[place] = now;
    linkAsNewest(place);
    return place;
  }

  function find(name: string, now: number): number {
    const place = places.get(name);
    if (place === undefined) return add(name, now);
    const gained = ((now - (times[place] as number)) / 1000) * rate;
    tokens[place] = Math.min(burst, (tokens[place] as number) + gained);
    times[place] = now;
    if (older[ends] !== place) {
      unlink(place);
      linkAsNewest(place);
    }
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
