import type { Reply } from '../replies/reply.ts';
import type { RequestHead } from '../requests/request-head.ts';
import type { OriginList } from './origins.ts';

export interface CorsOptions {
  /** Called on every request, so that the list may change while the server runs. */
  readonly origins: () => OriginList;
  /** The value of `Access-Control-Allow-Methods`. */
  readonly methods: string;
  /** The value of `Access-Control-Allow-Headers`. */
  readonly headers: string;
  /** Seconds that a browser may cache a preflight. */
  readonly maxAge: number;
}

/** The cross-origin rules of a group of routes (Fetch standard, section 3.2). Credentials are never allowed. */
export interface CorsPolicy {
  /** The origin to echo, or undefined if that of the request is missing, `null` or not on the list. */
  allowedOrigin(head: RequestHead): string | undefined;
  /** The answer to an OPTIONS request of an allowed origin. */
  readonly preflight: Reply;
  /**
   * Whether a request that changes state comes from a page of a site that is not listed. Callers other than browsers are
   * allowed. Browsers send `Origin` with every such request; if an old proxy dropped it, `Sec-Fetch-Site` tells.
   */
  isForeign(head: RequestHead, allowed: string | undefined): boolean;
}

export function createCors({ origins, methods, headers, maxAge }: CorsOptions): CorsPolicy {
  const preflightHeaders: readonly string[] = [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', headers],
    ...['Access-Control-Max-Age', String(maxAge)],
  ];

  return {
    preflight: { status: 204, headers: preflightHeaders, isPrepared: true },
    allowedOrigin({ origin }) {
      return origin !== undefined && origins().match(origin) !== undefined ? origin : undefined;
    },
    isForeign({ origin, secFetchSite }, allowed) {
      return allowed === undefined && (origin !== undefined || secFetchSite === 'cross-site');
    },
  };
}
