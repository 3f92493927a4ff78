import { createClientOf } from '../../../src/server/http/client.ts';
import { createPipeline, type Pipeline, type PipelineOptions } from '../../../src/server/http/pipeline.ts';
import type { RateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { createRouter, type Route } from '../../../src/server/http/router.ts';

/** A real pipeline with routes of a test instead of those of the APIs. */
export function toPipeline(
  routes: readonly Route[],
  options: Partial<Pick<PipelineOptions, 'onFault'>> = {},
  limiter?: RateLimiter,
): Pipeline {
  return createPipeline({
    router: createRouter([{ routes, limiter }]),
    isServedHost: () => true,
    clientOf: createClientOf(undefined),
    isPagePath: () => false,
    onFault: () => {},
    ...options,
  });
}
