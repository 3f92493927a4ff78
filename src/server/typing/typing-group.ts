import { createRateLimiter, type RateLimiter } from '../http/limits/rate-limiter.ts';
import { createSharedLimiter } from '../http/limits/shared-limiter.ts';
import { createCors, type OriginList } from '../http/routing/cors.ts';
import type { Route, RouteGroup } from '../http/routing/router.ts';
import type { Rate } from '../settings/config.ts';
import { StoreUnavailableError } from '../stores/records/records.ts';
import type { SharedLimits } from '../stores/records/shared-limits.ts';

/** Default if strangers can reach the server; `--api-limit` changes it. */
const networkLimit: Rate = { rate: 100, burst: 200 };

export interface TypingGroupOptions {
  readonly routes: readonly Route[];
  /** The current allow-list. */
  readonly origins: () => OriginList;
  readonly limiter: RateLimiter | undefined;
}

/** The group of the typing API's routes: who may call them, how often, and the version of their answers. */
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

/**
 * @param limit set by the operator; undefined: 100/s with a burst of 200 if strangers can reach the server, else none
 * @param limits shared by several servers; undefined: this server counts on its own
 */
export function createTypingLimiter(
  limit: Rate | 'off' | undefined,
  isExposed: boolean,
  limits?: SharedLimits,
): RateLimiter | undefined {
  const rate = limit ?? (isExposed ? networkLimit : 'off');
  if (rate === 'off') return undefined;
  const policy = { name: 'api', ...rate };
  if (limits === undefined) return createRateLimiter(policy);
  return createSharedLimiter({
    ...policy,
    meter: async (buckets, cost) => {
      try {
        return await limits.take(buckets, cost);
      } catch (error) {
        if (error instanceof StoreUnavailableError) return undefined;
        throw error;
      }
    },
  });
}
