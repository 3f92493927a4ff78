import { readPackageVersion } from '../kit/package-files.ts';
import { createBadgeService } from './badge/badge-service.ts';
import { createEarliestClock, latestClock, steadyClock } from './clocks.ts';
import { createDeskService } from './desk/desk-service.ts';
import { createClientOf } from './http/client.ts';
import { createHostCheck, createPipeline } from './http/pipeline.ts';
import { createRouter } from './http/router.ts';
import type { ProcessMetrics } from './metrics/metrics.ts';
import { observeStores } from './metrics/observed-stores.ts';
import { basePathOf, isExposed, isLoopback, type ServeConfig } from './settings/config.ts';
import { parseWebhookTarget } from './settings/config-parsers.ts';
import type { Log } from './settings/log.ts';
import { untrustedProxy } from './settings/start-problems.ts';
import { openFileStores, type Stores } from './stores/open-stores.ts';
import { startSaving } from './stores/pulse.ts';
import { createTypingGroup } from './typing/typing-routes.ts';

export interface AppOptions {
  readonly config: ServeConfig;
  readonly contentDir: string;
  /** Where the server listens, for the addresses that it hands out unless it has a public URL. */
  readonly url: string;
  readonly log: Log;
  /** Undefined: nothing is counted. */
  readonly metrics?: ProcessMetrics | undefined;
}

/**
 * All three APIs behind one pipeline, without a socket, and the stores that they use. Rejects with one
 * sentence if the content cannot be read.
 */
export async function openApp({ config, contentDir, url, log, metrics }: AppOptions) {
  const opened = await openStores(config, contentDir, log);
  const stores = metrics === undefined ? opened : observeStores(opened, metrics.metrics.storeCall);
  const { content, pulse, outbox } = stores;
  const loopback = isLoopback(config.host);
  const clock = Date.now;
  const badge = await createBadgeService({
    ...{ config, content, pulse, loopback, log },
    copy: stores.contentCopy,
    baseUrl: config.publicUrl ?? url,
    problems: () => [stores.problem()].filter((problem) => problem !== undefined),
  }).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const { refresh, history, origins, problems } = badge;
  const desk = createDeskService({
    config,
    content,
    readPulse: pulse.read,
    refresh,
    clock,
    log,
  });
  const { webhook, webhookSecret: secret } = config;
  // Their code is loaded only if there are any.
  const webhooks =
    webhook.length === 0 || secret === undefined
      ? undefined
      : (await import('./webhooks/webhook-runner.ts')).startWebhooks({
          targets: webhook.map(parseWebhookTarget),
          ...{ secret, outbox, history, clock, log },
        });
  const stopSaving = startSaving(pulse);
  const typing = createTypingGroup({ config, stores, origins, counts: metrics?.metrics, clock, log });
  metrics?.watch({
    version: readPackageVersion(),
    sessionScope: config.store === undefined ? 'server' : 'store',
    // Not observed: a scrape must not change what it reads.
    openSessions: opened.sessions.count,
    contentRevision: badge.revision,
    problems,
  });
  return {
    answer: createPipeline({
      router: createRouter([...badge.groups, ...desk.groups, typing]),
      isServedHost: createHostCheck(loopback, config.allowHost),
      clientOf: createClientOf(config.trustProxy, () => log.warn(untrustedProxy)),
      basePath: basePathOf(config),
      isPagePath: (path) => !programPath.test(path),
      onFault(fault, { id, method }) {
        const cause = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
        log.error(`a request failed: ${cause}`, { request: id, method });
      },
    }),
    /** Source of the content, for messages: the folder or the store. */
    contentName: content.name,
    reload: badge.reload,
    /** Stops everything in the background, and saves everything unsaved. */
    async close(): Promise<void> {
      stopSaving();
      // Webhooks give back their lease in a store that is still open.
      await Promise.all([badge.close(), webhooks?.close()]);
      await opened.close();
    },
  };
}

async function openStores(config: ServeConfig, contentDir: string, log: Log): Promise<Stores> {
  const { data: dataDir, store: address, storePrefix: prefix } = config;
  const options = {
    ...config,
    contentDir,
    dataDir,
    isExposed: isExposed(config),
    clock: steadyClock,
    latest: latestClock,
    earliest: createEarliestClock(),
    log,
  };
  if (address === undefined) return openFileStores(options);
  // The client of a shared store is loaded only if needed.
  const { openSharedStores } = await import('./stores/shared-stores.ts');
  return openSharedStores({ ...options, address, prefix });
}

/** Paths that only programs request: their errors are never HTML pages. */
const programPath = /^\/(?:api|content|css|feed\.\w+|images|js|pulse)(?:\/|$)/;
