import { createApp } from './app.ts';
import { type AnswerObserver, createListener, type Listener } from './http/listener.ts';
import type { Pipeline } from './http/pipeline.ts';
import { parseRequestTarget } from './http/request.ts';
import type { Metrics } from './metrics/metrics.ts';
import { isExposed, isLoopback, type ServeConfig } from './settings/config.ts';
import { limits } from './settings/limits.ts';
import { createLog, type Log } from './settings/log.ts';
import { findMissingProxy, listenProblem, proxyFix } from './settings/start-problems.ts';
import { fillContentFolder, findContentFolder } from './stores/content/content-folder.ts';
import { openFileStores } from './stores/open-stores.ts';

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts the whole server. Rejects with one sentence if the content is unreadable or the address is in use.
 *
 * @param worker number of this process, if several share the port
 */
export async function startServer(config: ServeConfig, worker?: number) {
  const log = createLog({ format: config.log, worker });
  const content = await findContentFolder({ ...config, env: process.env, cwd: process.cwd() });
  const isNeeded = content.state === 'empty' || config.store === undefined || !content.isNamed;
  if (content.state !== 'used' && isNeeded) await fillContentFolder(content.dir);
  if (config.verbose) {
    log.info(`content folder: ${content.dir} (${content.reason})`);
    log.info(`data folder: ${config.data}`);
  }
  // The metrics library is loaded only if needed.
  const metrics =
    config.metrics === undefined
      ? undefined
      : await (await import('./metrics/metrics.ts')).createProcessMetrics();
  const observers = [config.verbose ? createAccessLog(log) : undefined, metrics?.metrics];
  // Listening comes first, because feeds and pages contain the address; early requests wait a moment. If the
  // start fails, they get no answer: their connections are closed.
  let answer: Pipeline = (request, observation) =>
    started.then(
      (app) => app.answer(request, observation),
      () => new Promise<never>(() => {}),
    );
  const listener = createListener((request, observation) => answer(request, observation), {
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    trusted: config.trustProxy,
    observers: observers.filter((observer) => observer !== undefined),
  });
  const address = listen(listener, config);
  const started = address.then(({ url }) => openApp(config, content.dir, url, log, metrics?.metrics));
  const app = await started.catch(async (error) => {
    await listener.close(0);
    throw error;
  });
  answer = app.answer;
  metrics?.watch(app.readings);
  // Allowed, but rarely intended.
  if (!isLoopback(config.host) && config.allowHost.length === 0)
    log.warn(
      'open to the network and answering to every host name; --allow-host names those it should answer to',
    );
  const missing = findMissingProxy(config);
  if (missing !== undefined) log.warn(`${missing} ${proxyFix}`);

  return {
    ...(await address),
    contentDir: content.dir,
    /** Source of the content, for messages: the folder or the store. */
    contentName: app.contentName,
    dataDir: config.data,
    /** The metrics of this process, if the configuration asks for them. */
    metrics,
    reload: app.reload,
    /**
     * Stops accepting requests, gives running ones at most five seconds, and saves everything unsaved.
     *
     * @param lingerMs how long idle connections may still send a request when another process takes over
     */
    async close(lingerMs = 0): Promise<void> {
      await listener.close(limits.shutdownGrace, lingerMs);
      await app.close();
    },
  };
}

/**
 * The clock of the stores, milliseconds since 1970. It does not jump when the wall clock is set, because then
 * sessions would end early or live forever.
 */
function steadyClock(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

/** Opens the stores and an app that uses them; closing the result closes both. */
async function openApp(
  config: ServeConfig,
  contentDir: string,
  url: string,
  log: Log,
  metrics: Metrics | undefined,
) {
  const places = { ...config, contentDir, dataDir: config.data, isExposed: isExposed(config) };
  const opening = { ...places, clock: steadyClock, log };
  // The client of a shared store is loaded only if needed.
  const stores =
    config.store === undefined
      ? await openFileStores(opening)
      : await (await import('./stores/shared-stores.ts')).openSharedStores({
          ...opening,
          address: config.store,
          prefix: config.storePrefix,
        });
  try {
    const baseUrl = config.publicUrl ?? url;
    const app = await createApp({ config, baseUrl, stores, clock: Date.now, log, metrics });
    return {
      ...app,
      contentName: stores.content.name,
      close: async () => {
        // Webhooks give back their lease in a store that is still open.
        await app.close();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/**
 * Logs requests without their query, in which a client may have put a key, and without the end of a session's
 * id: anyone who knows the id of one without a key can type in it.
 */
function createAccessLog(log: Log): AnswerObserver {
  return {
    writesIds: true,
    onAnswer({ request: { method, url = '' }, status, milliseconds, id }) {
      const path = parseRequestTarget(url).path.replace(/(\/sessions\/[0-9a-f]{8})[0-9a-f]{24}/, '$1…');
      log.info(`${method} ${path}`, { status, ms: Math.round(milliseconds * 10) / 10, request: id });
    },
  };
}

/** `url`: with a host to type into a browser; a wildcard address is reachable over loopback. */
async function listen(listener: Listener, config: ServeConfig): Promise<{ url: string; port: number }> {
  const { host } = config;
  const loopback = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host];
  try {
    const { port } = await listener.listen(config.port, host);
    return { url: `http://${loopback ?? (host.includes(':') ? `[${host}]` : host)}:${port}`, port };
  } catch (error) {
    throw new Error(listenProblem(error as NodeJS.ErrnoException, config));
  }
}
