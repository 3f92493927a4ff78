import { createBadgeService } from './badge/badge-service.ts';
import { isLoopback, type ServeConfig } from './config.ts';
import { createClientOf } from './http/client-address.ts';
import { createHostCheck } from './http/hosts.ts';
import { createPipeline, type Pipeline } from './http/pipeline.ts';
import { createRouter } from './http/router.ts';
import type { Log } from './log.ts';
import { createTypingGroup } from './typing-api/typing-group.ts';
import { createTypingService } from './typing-api/typing-service.ts';

export interface AppOptions {
  readonly config: ServeConfig;
  readonly contentDir: string;
  /** Where this server is reached, without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Log;
}

/** Both APIs behind one pipeline, without a socket. */
export interface App {
  readonly answer: Pipeline;
  /** Saves everything unsaved. */
  close(): Promise<void>;
}

/** Wires the two APIs to the HTTP kit. Rejects where content or data cannot be read. */
export async function createApp({ config, contentDir, baseUrl, log }: AppOptions): Promise<App> {
  const loopback = isLoopback(config.host);
  const starting = [
    createBadgeService({ config, contentDir, baseUrl, loopback, log }),
    createTypingService({ ...config, dataDir: config.data, log }),
  ] as const;
  const [badge, typing] = await Promise.all(starting).catch(async (error) => {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.close();
    }
    throw error;
  });
  const answer = createPipeline({
    router: createRouter([
      ...badge.groups,
      createTypingGroup({ routes: typing.routes, origins: badge.origins, limit: config.apiLimit, loopback }),
    ]),
    isServedHost: createHostCheck({ loopback, allowed: config.allowHost }),
    clientOf: createClientOf(config.trustProxy),
    isPagePath: (path) => !programPath.test(path),
    onFault: (fault, { requestId, method }) => {
      const cause = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
      log.error(`a request failed: ${cause}`, { request: requestId, method });
    },
  });
  return {
    answer,
    async close() {
      await Promise.all([typing.close(), badge.close()]);
    },
  };
}

/** Paths that only programs ask for. */
const programPath = /^\/(?:api|content|css|feed\.\w+|images|js|pulse)(?:\/|$)/;
