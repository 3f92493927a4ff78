import { readPackageVersion } from '../kit/package-files.ts';
import { type BadgeService, createBadgeService } from './badge/badge-service.ts';
import { createDeskService } from './desk/desk-service.ts';
import { createClientOf } from './http/client.ts';
import { createHostCheck, createPipeline, type PipelineOptions } from './http/pipeline.ts';
import { requestIdOf } from './http/request.ts';
import { createRouter } from './http/router.ts';
import type { Metrics, Readings } from './metrics/metrics.ts';
import { observeStores } from './metrics/observed-stores.ts';
import { basePathOf, isLoopback, type ServeConfig } from './settings/config.ts';
import { parseWebhookTarget } from './settings/config-parsers.ts';
import type { Log } from './settings/log.ts';
import { untrustedProxy } from './settings/start-problems.ts';
import { createHistoryReader } from './stores/content/history-file.ts';
import type { Stores } from './stores/open-stores.ts';
import { startSaving } from './stores/pulse.ts';
import { createTypingGroup } from './typing/typing-routes.ts';

export interface AppOptions {
  readonly config: ServeConfig;
  /** Public URL of this server, without a trailing slash. */
  readonly baseUrl: string;
  readonly stores: Stores;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: Log;
  /** Undefined: nothing is counted. */
  readonly metrics?: Metrics | undefined;
}

/** All three APIs behind one pipeline, without a socket. Rejects if the content cannot be read. */
export async function createApp(options: AppOptions) {
  const { config, baseUrl, clock, log, metrics } = options;
  const stores = metrics === undefined ? options.stores : observeStores(options.stores, metrics.storeCall);
  const loopback = isLoopback(config.host);
  // Shared by badge and desk, because a reader caches everything that it has read.
  const readHistory = createHistoryReader();
  const badge = await createBadgeService({
    config,
    content: stores.content,
    copy: stores.contentCopy,
    readHistory,
    pulse: stores.pulse,
    baseUrl,
    loopback,
    log,
    problems: () => [stores.problem()].filter((problem) => problem !== undefined),
  });
  const desk = createDeskService({
    config,
    content: stores.content,
    readHistory,
    readPulse: stores.pulse.read,
    refresh: badge.refresh,
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
          secret,
          outbox: stores.outbox,
          history: badge.history,
          clock,
          log,
        });
  const stopSaving = startSaving(stores.pulse);
  const answer = createPipeline({
    router: createRouter([
      ...badge.groups,
      ...desk.groups,
      createTypingGroup({ config, stores, origins: badge.origins, counts: metrics, clock, log }),
    ]),
    isServedHost: createHostCheck(loopback, config.allowHost),
    clientOf: createClientOf(config.trustProxy, () => log.warn(untrustedProxy)),
    basePath: basePathOf(config),
    isPagePath: (path) => !programPath.test(path),
    onFault: reportFaultsIn(log),
  });
  return {
    answer,
    readings: readingsOf(options, badge),
    reload: badge.reload,
    /** Stops watching the content and sending webhooks. Does not close the stores: their opener does. */
    async close(): Promise<void> {
      stopSaving();
      await Promise.all([badge.close(), webhooks?.close()]);
    },
  };
}

function readingsOf({ config, stores }: AppOptions, badge: BadgeService): Readings {
  return {
    version: readPackageVersion(),
    sessionScope: config.store === undefined ? 'server' : 'store',
    openSessions: stores.sessions.count,
    contentRevision: badge.revision,
    problems: badge.problems,
  };
}

function reportFaultsIn(log: Log): PipelineOptions['onFault'] {
  return (fault, context) => {
    const cause = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    log.error(`a request failed: ${cause}`, { request: requestIdOf(context), method: context.method });
  };
}

/** Paths that only programs request: their errors are never HTML pages. */
const programPath = /^\/(?:api|content|css|feed\.\w+|images|js|pulse)(?:\/|$)/;
