import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import type { OriginList } from './origins.ts';
import type { Reply } from './reply.ts';

export interface CorsOptions {
  /** Asked anew on every request, so that the list may change while the server runs. */
  readonly origins: () => OriginList;
  /** The value of `Access-Control-Allow-Methods`. */
  readonly methods: string;
  /** The value of `Access-Control-Allow-Headers`. */
  readonly headers: string;
  /** Seconds that a browser may remember a preflight. */
  readonly maxAge: number;
}

/** The cross-origin rules of a group of routes (Fetch standard, section 3.2). Credentials are never allowed. */
export interface CorsPolicy {
  /** The origin to echo, or undefined where the request's is missing, `null` or not on the list. */
  allowedOrigin(request: IncomingMessage): string | undefined;
  /** The answer to an OPTIONS request. Throws 403 where the origin is not on the list. */
  preflight(allowed: string | undefined): Reply;
  /**
   * Throws 403 where another site's page tries to change state: a listed origin may, and so may a caller that is no
   * browser. Browsers send `Origin` with every such request; `Sec-Fetch-Site` tells where an old proxy dropped it.
   */
  refuseForeignWrite(request: IncomingMessage, allowed: string | undefined): void;
}

export function createCors({ origins, methods, headers, maxAge }: CorsOptions): CorsPolicy {
  const preflightHeaders: readonly string[] = [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', headers],
    ...['Access-Control-Max-Age', String(maxAge)],
  ];
  const preflightReply: Reply = { status: 204, headers: preflightHeaders };

  return {
    allowedOrigin(request) {
      const { origin } = request.headers;
      return origin !== undefined && origins().match(origin) !== undefined ? origin : undefined;
    },
    preflight(allowed) {
      if (allowed === undefined) throw originNotAllowed();
      return preflightReply;
    },
    refuseForeignWrite(request, allowed) {
      if (allowed !== undefined) return;
      if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] === 'cross-site') {
        throw originNotAllowed();
      }
    },
  };
}

function originNotAllowed(): HttpError {
  return new HttpError(403, 'ORIGIN_NOT_ALLOWED', 'This origin is not on the allow-list of this server.');
}
