import { openApp } from './app.ts';
import { createListener, type Listener, type ObservedAnswer } from './http/listener.ts';
import { createHostCheck, type Pipeline } from './http/pipeline.ts';
import { parseRequestTarget } from './http/request.ts';
import { isLoopback, type ServeConfig } from './settings/config.ts';
import { limits } from './settings/limits.ts';
import { createLog, type Log } from './settings/log.ts';
import { findMissingProxy, listenProblem, proxyFix } from './settings/start-problems.ts';
import { fillContentFolder, findContentFolder } from './stores/content/content-folder.ts';

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
  if (content.state !== 'used' && isNeeded) {
    await fillContentFolder(content.dir);
    log.info(`the content folder ${content.dir} was empty: it has a sample announcement now`);
  }
  if (config.verbose) {
    log.info(`content folder: ${content.dir} (${content.reason})`);
    log.info(`data folder: ${config.data}`);
  }
  // The metrics library is loaded only if needed.
  const metrics =
    config.metrics === undefined
      ? undefined
      : await (await import('./metrics/metrics.ts')).createProcessMetrics();
  const onAnswer = (answered: ObservedAnswer) => {
    if (config.verbose) logAnswer(log, answered);
    metrics?.metrics.onAnswer(answered);
  };
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
    onAnswer: config.verbose || metrics !== undefined ? onAnswer : undefined,
    givesIds: config.verbose,
  });
  const address = listen(listener, config);
  const started = address.then(({ url }) => openApp({ config, contentDir: content.dir, url, log, metrics }));
  const app = await started.catch(async (error) => {
    await listener.close(0);
    throw error;
  });
  answer = app.answer;
  // Allowed, but rarely intended.
  if (!isLoopback(config.host) && config.allowHost.length === 0)
    log.warn(
      'open to the network and answering to every host name; --allow-host names those it should answer to',
    );
  const missing = findMissingProxy(config);
  if (missing !== undefined) log.warn(`${missing} ${proxyFix}`);
  const refused = findRefusedHost(config);
  if (refused !== undefined) log.warn(`${refused.message} ${refused.fix}`);

  return {
    ...(await address),
    contentDir: content.dir,
    contentName: app.contentName,
    dataDir: config.data,
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

/** The problem and its fix, if the server refuses the host name of the address that visitors are given. */
export function findRefusedHost({ host, publicUrl, allowHost }: ServeConfig) {
  if (publicUrl === undefined) return undefined;
  const name = new URL(publicUrl).host;
  if (createHostCheck(isLoopback(host), allowHost)(name)) return undefined;
  return {
    message: `Requests for ${name}, the host of --public-url, are refused.`,
    fix: `Give --allow-host ${name}.`,
  };
}

/**
 * Logs a request without its query, in which a client may have put a key, and without the end of a session's
 * id: anyone who knows the id of one without a key can type in it.
 */
function logAnswer(log: Log, { request, status, milliseconds, id }: ObservedAnswer): void {
  const { method, url = '' } = request;
  const path = parseRequestTarget(url).path.replace(/([0-9a-f]{8})[0-9a-f]{24}/gi, '$1…');
  log.info(`${method} ${path}`, { status, ms: Math.round(milliseconds * 10) / 10, request: id });
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
