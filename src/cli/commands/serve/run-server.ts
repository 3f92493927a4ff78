import { isatty } from 'node:tty';
import kleur from 'kleur';
import { visibleText } from '../../../kit/visible-text.ts';
import type { MetricsSource } from '../../../server/metrics/metrics.ts';
import type { MetricsServer } from '../../../server/metrics/metrics-server.ts';
import { isLoopback, type ServeConfig } from '../../../server/settings/config.ts';
import { createLog } from '../../../server/settings/log.ts';
import { type RunningServer, startServer } from '../../../server/start.ts';
import type { ReadyMessage } from '../../../server/workers/worker-pool.ts';
import { registerServer } from '../../serving/running-servers.ts';

/** How long a stopping worker still serves readers who have just connected, in milliseconds. */
const workerLinger = 500;

const stoppingText = (signal: string) =>
  `${signal}: stopping; running requests get up to 5 s, then everything is saved`;

type Started = Pick<RunningServer, 'url' | 'contentDir' | 'dataDir'>;

/** Serves until a signal, then finishes running requests, saves everything and resolves. */
export async function runServer(config: ServeConfig): Promise<void> {
  outliveLogReaders();
  const worker = process.send === undefined ? undefined : (await import('node:cluster')).default.worker;
  if (worker === undefined && config.workers !== undefined) return runWorkers(config, config.workers);
  // A worker ends once its parent agrees: with a channel closed at once, connections on the way to it hang.
  return serve(config, worker?.id).finally(() => worker?.disconnect());
}

/** @param worker number of this process, if several share the port; its parent serves the metrics */
async function serve(config: ServeConfig, worker: number | undefined): Promise<void> {
  // Listening for signals comes first: a reader of the start message may send one the next moment.
  const signals = listenToSignals();
  const log = createLog({ format: config.log, worker });
  const server = await startServer(config, worker);
  const { url, contentDir, dataDir, metrics } = server;
  let endMetrics: (() => Promise<void>) | undefined;
  try {
    // Before the start is announced, because an editor may publish right after that.
    const removeMark = await registerServer(dataDir, { url, content: server.contentName });
    if (worker === undefined) {
      endMetrics = metrics && (await openMetrics(config, async () => metrics))?.close;
      announceStart(server, config);
    } else {
      endMetrics =
        metrics && (await import('../../../server/workers/worker-metrics.ts')).answerPrimary(metrics);
      process.send?.({ type: 'ready', url, contentDir, dataDir } satisfies ReadyMessage);
    }
    signals.actions.reload = () => void server.reload();
    loadTheRest();
    const signal = await signals.stopped;
    // For workers, their parent logs it once.
    if (worker === undefined) log.info(stoppingText(signal));
    await removeMark();
  } finally {
    await server.close(worker === undefined ? 0 : workerLinger);
    await endMetrics?.();
  }
  if (process.stdout.isTTY && config.log === 'pretty') process.stdout.write('  Stopped.\n');
}

/**
 * Loads after the start what it does not wait for. Loading at first use would fail once the package was
 * upgraded under a running server. If it fails now, the request that needs it says so.
 */
function loadTheRest(): void {
  import('../../../server/desk/desk-api.ts').catch(() => {});
}

async function runWorkers(config: ServeConfig, count: number): Promise<void> {
  const signals = listenToSignals();
  const { startWorkerPool } = await import('../../../server/workers/worker-pool.ts');
  // Metrics come first: a worker that starts and ends again counts, too.
  const metrics = await openMetrics(config, async () => {
    const { createWorkerMetrics } = await import('../../../server/workers/worker-metrics.ts');
    return createWorkerMetrics();
  });
  const log = createLog({ format: config.log });
  const pool = await startWorkerPool(count, log).catch(async (error) => {
    await metrics?.close();
    throw error;
  });
  announceStart(pool.ready, config);
  log.info('workers are serving; each writes its own log lines', { workers: count });
  Object.assign(signals.actions, { reload: pool.reload, roll: pool.roll });
  log.info(stoppingText(await signals.stopped));
  await pool.stop();
  await metrics?.close();
}

/**
 * The reader of the log may end, and its disk may be full: that is no reason to stop serving.
 */
function outliveLogReaders(): void {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

function announceStart(server: Started, config: ServeConfig): void {
  const { url, contentDir: content, dataDir: data } = server;
  if (config.log === 'json') createLog({ format: 'json' }).info('listening', { url, content, data });
  else process.stdout.write(welcomeText(server, config));
}

function welcomeText({ url, contentDir, dataDir }: Started, config: ServeConfig): string {
  const { brand, verbose, publicUrl = url } = config;
  const rows = [
    ['Try the badge', `${publicUrl}/demo`],
    ['Announcements', `${publicUrl}/history`],
    ...(config.desk === 'off' ? [] : [['For editors', `${publicUrl}/desk`] as const]),
    ...(config.typing === 'off' ? [] : [['Typing API', `${publicUrl}/api/openapi.json`] as const]),
    ['Embed it', `<script src="${publicUrl}/js/${brand}-inject.min.js" async></script>`],
    ...(verbose ? [['Content', contentDir] as const, ['Data', dataDir] as const] : []),
  ] as const;
  const isForOthers = !isLoopback(config.host) && config.publicUrl === undefined;
  const note = isForOthers
    ? `  These addresses work on this machine only. For visitors elsewhere, set --public-url.\n\n`
    : '';
  const lines = rows.map(([name, value]) => `  ${kleur.dim(name.padEnd(14))} ${visibleText(value)}`);
  return `\n  ${kleur.bold('typebadge')} is serving at ${kleur.cyan(url)}\n\n${lines.join('\n')}\n\n${note}  Stop it with Ctrl+C.\n\n`;
}

async function openMetrics(
  { metrics, log }: ServeConfig,
  openSource: () => Promise<MetricsSource>,
): Promise<MetricsServer | undefined> {
  if (metrics === undefined) return undefined;
  const { startMetricsServer } = await import('../../../server/metrics/metrics-server.ts');
  const server = await startMetricsServer(metrics, await openSource());
  createLog({ format: log }).info('metrics are served', { url: server.url });
  return server;
}

/**
 * Every signal that would end the process, as far as Node lets a program handle it. A second signal changes
 * nothing, since npm and shells often send Ctrl+C twice: stopping takes seconds at most, and saves what is
 * unsaved.
 */
const endSignals = [
  ...(['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSYS', 'SIGSTKFLT', 'SIGBREAK'] as const),
] as const;

/** On a terminal, SIGHUP says that the terminal is gone, and stops the server as SIGTERM does. */
function listenToSignals() {
  // Checked now: once the terminal is gone, it is no longer recognised as one.
  const isOnTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const actions = { reload: () => {}, roll: () => {} };
  const stopped = new Promise<string>((resolve) => {
    for (const signal of endSignals) process.on(signal, () => resolve(signal));
    if (!isProfiled()) process.on('SIGPROF', () => resolve('SIGPROF'));
    // Without a listener, Node opens a port for a debugger, which may do anything in this process.
    process.on('SIGUSR1', () => {});
    process.on('SIGHUP', () => (isOnTerminal ? resolve('SIGHUP') : actions.reload()));
    process.on('SIGUSR2', () => actions.roll());
  });
  return {
    /** Resolves to the signal that stops the server. */
    stopped,
    /** Set by the caller: SIGHUP makes a service reload its files, SIGUSR2 replace its workers one by one. */
    actions,
  };
}

/** Node's profiler samples with that signal, hundreds of times a second; a listener would break it. */
function isProfiled(): boolean {
  const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)];
  return options.some((option) => /^--(?:cpu[-_])?prof$/.test(option));
}
