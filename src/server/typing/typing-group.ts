import { createRateLimiter, type RateLimiter } from '../http/limits/rate-limiter.ts';
import { createCors } from '../http/routing/cors.ts';
import type { OriginList } from '../http/routing/origins.ts';
import type { Route, RouteGroup } from '../http/routing/router.ts';
import type { Rate } from '../settings/config.ts';

/** Applies where strangers can reach the server, unless `--api-limit` says otherwise. */
const networkLimit: Rate = { rate: 100, burst: 200 };

export interface TypingGroupOptions {
  readonly routes: readonly Route[];
  /** The present allow-list. */
  readonly origins: () => OriginList;
  readonly limiter: RateLimiter | undefined;
}

/** What the routes of the typing API have in common: who may call them, how often, and the version of their answers. */
export function createTypingGroup({ routes, origins, limiter }: TypingGroupOptions): RouteGroup {
  return {
    routes,
    prefix: '/api/',
    cors: createCors({
      origins,
      methods: 'GET, POST, DELETE, OPTIONS',
      headers: 'Accept, Content-Type',
      maxAge: 86_400,
    }),
    headers: ['API-Version', 'v1'],
    ...(limiter === undefined ? {} : { limiter }),
  };
}

/** @param limit what the operator has set; undefined: 100/s with a burst of 200 where strangers can reach the server, else none */
export function createTypingLimiter(
  limit: Rate | 'off' | undefined,
  isExposed: boolean,
): RateLimiter | undefined {
  const rate = limit ?? (isExposed ? networkLimit : 'off');
  return rate === 'off' ? undefined : createRateLimiter({ name: 'api', ...rate });
}
