import type { Rate } from '../config.ts';
import { createCors } from '../http/cors.ts';
import type { OriginList } from '../http/origins.ts';
import type { Route, RouteGroup } from '../http/router.ts';
import { createRateLimiter } from '../http/token-bucket.ts';

/** Applies to a server that is reached from beyond loopback, unless it is told otherwise. */
const networkLimit: Rate = { rate: 100, burst: 200 };

export interface TypingGroupOptions {
  readonly routes: readonly Route[];
  /** The allow-list as it stands. */
  readonly origins: () => OriginList;
  /** Undefined: none on loopback, 100/s with a burst of 200 beyond. */
  readonly limit: Rate | 'off' | undefined;
  readonly loopback: boolean;
}

/** What the routes of the typing API have in common: who may call them, how often, and the version of their answers. */
export function createTypingGroup({ routes, origins, limit, loopback }: TypingGroupOptions): RouteGroup {
  const rate = limit ?? (loopback ? 'off' : networkLimit);
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
    ...(rate === 'off' ? {} : { limiter: createRateLimiter({ name: 'api', ...rate }) }),
  };
}
