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
  take(client: string): RateLimitVerdict;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was true. */
  at: number;
}

/**
 * Token buckets, one a client (Partridge and Shenker; RFC 2697 describes the same meter). A bucket holds up to `burst`
 * tokens, gains `rate` a second, and each request takes one.
 *
 * The headers follow draft-ietf-httpapi-ratelimit-headers: `q` requests in a window of `w` seconds, `r` left, and all
 * of them back after `t` seconds.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { name, rate, burst, maxClients = 10_000, now = () => performance.now() } = options;
  const buckets = new Map<string, Bucket>();
  let latest: string | undefined;
  const policy = ['RateLimit-Policy', `"${name}";q=${burst};w=${Math.ceil(burst / rate)}`];
  const toHeaders = (left: number) => [
    ...policy,
    'RateLimit',
    `"${name}";r=${left};t=${Math.ceil((burst - left) / rate)}`,
  ];
  // An empty bucket gains its next token after at most 1 / rate seconds, so one answer serves every refusal.
  const refused: RateLimitVerdict = {
    allowed: false,
    headers: [...toHeaders(0), 'Retry-After', String(Math.max(1, Math.ceil(1 / rate)))],
  };

  return {
    take(client) {
      const at = now();
      let bucket = buckets.get(client);
      if (bucket === undefined) {
        if (buckets.size >= maxClients) buckets.delete(buckets.keys().next().value as string);
        bucket = { tokens: burst, at };
      } else {
        bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * rate);
        bucket.at = at;
      }
      if (client !== latest) {
        // Out and in again: a Map keeps the order of insertion, so its first key is the least recently seen client.
        buckets.delete(client);
        buckets.set(client, bucket);
        latest = client;
      }
      if (bucket.tokens < 1) return refused;
      bucket.tokens -= 1;
      return { allowed: true, headers: toHeaders(Math.floor(bucket.tokens)) };
    },
  };
}
