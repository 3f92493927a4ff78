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
