import { isAllowedBy, isLoopbackOrigin, type OriginPattern, parseOrigin } from '../../kit/origin-pattern.ts';
import { createRecentCache } from '../../kit/recent-cache.ts';
import type { Reply } from './reply.ts';
import type { RequestHead } from './request.ts';

export type CorsPolicy = ReturnType<typeof createCors>;

/**
 * The cross-origin rules of a group of routes (Fetch standard, section 3.2), always without credentials.
 *
 * @param origins called on every request, so that the list may change while the server runs
 * @param methods the value of `Access-Control-Allow-Methods`
 */
export function createCors(origins: () => OriginList, methods: string) {
  const headers: readonly string[] = [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', 'Accept, Content-Type'],
    ...['Access-Control-Max-Age', '86400'], // seconds
  ];
  const preflight: Reply = { status: 204, headers };
  return { origins, preflight };
}

/** The origin to echo, or undefined if that of the request is `null` or not on the list. */
export function allowedOrigin({ origins }: CorsPolicy, origin: string): string | undefined {
  return origins().match(origin) === undefined ? undefined : origin;
}

/**
 * Whether a request that changes state comes from a page of a site that is not listed. Callers other than
 * browsers are allowed. Browsers send `Origin` with every such request; if an old proxy dropped it,
 * `Sec-Fetch-Site` shows it.
 */
export function isForeign({ origin, secFetchSite }: RequestHead, allowed: string | undefined): boolean {
  return allowed === undefined && (origin !== undefined || secFetchSite === 'cross-site');
}

export type OriginList = ReturnType<typeof createOriginList>;

/**
 * Compares parsed parts, never text with a regular expression. The entries for recent origins are cached.
 *
 * @param loopback whether loopback origins with any port count as listed
 */
export function createOriginList(patterns: readonly OriginPattern[], loopback = false) {
  const recent = createRecentCache<string>(1_000);

  const judge = (text: string): string | undefined => {
    // Browsers send hosts as in DNS (RFC 6454, section 6.2). Escapes and other alphabets are never
    // legitimate, and would be echoed in the answer.
    const origin = /^[!-$&-~]+$/.test(text) ? parseOrigin(text) : undefined;
    if (origin === undefined) return undefined;
    if (loopback && isLoopbackOrigin(origin)) return 'loopback';
    return patterns.find((pattern) => isAllowedBy(pattern, origin))?.entry;
  };

  return {
    /** The entry that allows this value of an `Origin` header; undefined if none does. */
    match(origin: string): string | undefined {
      const known = recent.get(origin);
      if (known !== undefined) return known;
      const entry = judge(origin);
      if (entry !== undefined) recent.put(origin, entry);
      return entry;
    },
  };
}
