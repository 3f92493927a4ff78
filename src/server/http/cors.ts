import { isAllowedBy, isLoopbackOrigin, type OriginPattern, parseOrigin } from '../../kit/origin-pattern.ts';
import type { Reply } from './reply.ts';
import type { RequestHead } from './request.ts';

/** The cross-origin rules of a group of routes (Fetch standard, section 3.2), always without credentials. */
export interface CorsPolicy {
  /** Called on every request, so that the list may change while the server runs. */
  readonly origins: () => OriginList;
  /** The answer to an OPTIONS request of an allowed origin. */
  readonly preflight: Reply;
}

/** @param methods the value of `Access-Control-Allow-Methods` */
export function createCors(origins: () => OriginList, methods: string): CorsPolicy {
  const headers: readonly string[] = [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', 'Accept, Content-Type'],
    ...['Access-Control-Max-Age', '86400'], // seconds
  ];
  return { origins, preflight: { status: 204, headers } };
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

export interface OriginList {
  /** The entry that allows this value of an `Origin` header; undefined if none does. */
  match(origin: string): string | undefined;
}

export interface OriginListOptions {
  readonly patterns: readonly OriginPattern[];
  /** Whether loopback origins with any port count as listed. Default: false. */
  readonly loopback?: boolean;
}

const maxVerdicts = 1_000;

/** Compares parsed parts, never text with a regular expression. A bounded number of verdicts is cached. */
export function createOriginList({ patterns, loopback = false }: OriginListOptions): OriginList {
  const verdicts = new Map<string, string | undefined>();

  const judge = (text: string): string | undefined => {
    // Browsers send hosts as in DNS (RFC 6454, section 6.2). Escapes and other alphabets are never
    // legitimate, and would be echoed in the answer.
    const origin = /^[!-$&-~]+$/.test(text) ? parseOrigin(text) : undefined;
    if (origin === undefined) return undefined;
    if (loopback && isLoopbackOrigin(origin)) return 'loopback';
    return patterns.find((pattern) => isAllowedBy(pattern, origin))?.entry;
  };

  return {
    match(origin) {
      const known = verdicts.get(origin);
      if (known !== undefined || verdicts.has(origin)) return known;
      const verdict = judge(origin);
      if (verdicts.size >= maxVerdicts) verdicts.clear();
      if (origin.length <= 300) verdicts.set(origin, verdict);
      return verdict;
    },
  };
}
