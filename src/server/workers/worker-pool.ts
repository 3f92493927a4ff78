import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../settings/log.ts';

/** Sent by a worker to the primary once it serves. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly url: string;
  readonly contentDir: string;
  readonly dataDir: string;
}

export interface WorkerPoolOptions {
  /** Workers that serve at the same time. */
  readonly count: number;
  readonly log: Log;
}

/** Several processes of this program that listen on one port. */
export interface WorkerPool {
  /** Sent by the first worker; all send the same. */
  readonly ready: ReadyMessage;
  /** Replaces one worker after another; the port is served throughout. Called again meanwhile, it runs once more afterwards. */
  roll(): Promise<void>;
  /** Lets every worker read its files again. */
  reload(): void;
  /** Lets every worker end what it does and save. */
  stop(): Promise<void>;
}

/** Pauses before a worker that died is replaced: one that dies at once must not keep the machine busy. In milliseconds. */
const firstPause = 100;
const longestPause = 5_000;

/** Starts the workers. Rejects where the first one ends before it serves; it has printed the reason itself. */
export async function startWorkerPool({ count, log }: WorkerPoolOptions): Promise<WorkerPool> {
  const workers = new Set<Worker>();
  let isStopping = false;
  let pause = firstPause;
  let rolling: Promise<void> = Promise.resolve();

  const add = async () => {
    const worker = cluster.fork();
    workers.add(worker);
    // A message to a worker that has just ended; that it ended is told by itself.
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => {
      const isOurs = workers.delete(worker);
      if (isOurs && !isStopping) void replace(signal ?? `exit code ${code}`);
    });
    return { worker, ready: await untilReady(worker) };
  };
  const replace = async (reason: string) => {
    log.error(`a worker ended (${reason}) and is replaced`);
    await sleep(pause);
    pause = Math.min(2 * pause, longestPause);
    if (isStopping) return;
    const { ready } = await add();
    if (ready !== undefined) pause = firstPause;
  };
  /** A worker that is taken out of the set is not replaced when it ends. */
  const retire = async (worker: Worker) => {
    workers.delete(worker);
    await end(worker);
  };
  const replaceAll = async () => {
    for (const old of [...workers]) {
      const { ready } = await add();
      if (ready === undefined) throw new Error('a new worker ended before it served; the old ones go on');
      await retire(old);
    }
  };

  const first = await add();
  if (first.ready === undefined) {
    isStopping = true;
    throw new Error('the first worker ended before it served.');
  }
  await Promise.all(Array.from({ length: count - 1 }, add));

  return {
    ready: first.ready,
    roll() {
      rolling = rolling
        .then(replaceAll)
        .then(() => log.info('all workers were replaced'))
        .catch((error: Error) => log.error(`workers were not replaced: ${error.message}`));
      return rolling;
    },
    reload() {
      for (const worker of workers) worker.process.kill('SIGHUP');
    },
    async stop() {
      isStopping = true;
      await Promise.all([...workers].map(end));
    },
  };
}

/** Resolves to undefined where the worker ends first. */
function untilReady(worker: Worker): Promise<ReadyMessage | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message: Partial<ReadyMessage>) => {
      if (message.type === 'ready') resolve(message as ReadyMessage);
    });
    worker.once('exit', () => resolve(undefined));
  });
}

function end(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve();
    worker.once('exit', () => resolve());
    worker.process.kill('SIGTERM');
  });
}
