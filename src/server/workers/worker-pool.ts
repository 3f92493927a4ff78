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

/** The place of one serving worker. While it is being replaced, its successor starts beside it. */
interface Slot {
  serving: Worker | undefined;
  isStarting: boolean;
}

/** In milliseconds. A worker that dies immediately must not keep the machine busy. */
const firstPause = 100;
const maxPause = 5_000;

/**
 * Seconds a worker has to end. It gives running requests five and saves afterwards; service managers often
 * wait for the whole server only a little longer (the unit in `deploy` 15 s). Without this limit, a hung
 * worker would delay a shutdown or a roll forever.
 */
const secondsToEnd = 10;

/**
 * Starts several processes of this program that listen on one port. Rejects if the first one ends before it
 * serves; it has then printed the reason itself.
 *
 * @param count number of serving workers
 */
export async function startWorkerPool(count: number, log: Log) {
  const slots = Array.from({ length: count }, (): Slot => ({ serving: undefined, isStarting: false }));
  /** Every process that has not ended, with a promise of the reason of its end. */
  const living = new Map<Worker, Promise<string>>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let ready: ReadyMessage | undefined;
  let pause = firstPause;
  let rolling = Promise.resolve();

  /** Starts a worker in a slot. Resolves once it serves, or to the reason of its end if it never did. */
  const start = async (slot: Slot): Promise<string | undefined> => {
    const worker = cluster.fork();
    const ended = endOf(worker);
    living.set(worker, ended);
    slot.isStarting = true;
    const serves = new Promise<undefined>((resolve) => {
      worker.on('message', (message: Partial<ReadyMessage>) => {
        if (message.type !== 'ready') return;
        ready ??= message as ReadyMessage;
        pause = firstPause;
        slot.serving = worker;
        resolve(undefined);
      });
    });
    void ended.then((reason) => {
      living.delete(worker);
      if (slot.serving !== worker) return;
      slot.serving = undefined;
      void refill(slot, reason);
    });
    const failure = await Promise.race([serves, ended]);
    slot.isStarting = false;
    return failure;
  };

  /** Replaces an ended worker after a pause, unless its slot already has another one. */
  const refill = async (slot: Slot, reason: string) => {
    for (let why: string | undefined = reason; why !== undefined && !slot.isStarting; ) {
      if (signal.aborted || slot.serving !== undefined) return;
      log.error(`a worker exited (${why}) and is being replaced`);
      const ms = pause;
      pause = Math.min(2 * pause, maxPause);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      why = await start(slot);
    }
  };

  const rollAll = async () => {
    const old = new Set(living.keys());
    for (const slot of slots) {
      while (slot.serving === undefined && !signal.aborted) await sleep(firstPause);
      const { serving } = slot;
      if (signal.aborted) return;
      if (serving === undefined || !old.has(serving)) continue;
      const failure = await start(slot);
      if (signal.aborted) return;
      if (failure !== undefined) {
        log.error(
          'workers were not replaced: a new worker exited before it was ready; the old ones keep serving',
        );
        return refill(slot, failure);
      }
      await end(serving);
    }
    log.info('all workers were replaced');
  };

  const end = async (worker: Worker) => {
    const kill = () => {
      log.warn(
        `worker ${worker.id} has not ended within ${secondsToEnd} s and is killed; what it had not saved is lost`,
      );
      worker.process.kill('SIGKILL');
    };
    const timer = setTimeout(kill, secondsToEnd * 1000);
    worker.process.kill('SIGTERM');
    await living.get(worker);
    clearTimeout(timer);
  };

  const [first, ...others] = slots as [Slot, ...Slot[]];
  // If the first one cannot serve, neither could the others.
  await start(first);
  if (ready === undefined) throw new Error('the first worker exited before it was ready.');
  const failures = await Promise.all(others.map(start));
  for (const [at, failure] of failures.entries())
    if (failure !== undefined) void refill(others[at] as Slot, failure);
  return {
    /** The message of the first worker; all workers send the same one. */
    ready: ready as ReadyMessage,
    /**
     * Replaces one worker after another without interrupting service. If called again meanwhile, the new ones
     * are replaced too.
     */
    roll() {
      rolling = rolling.then(rollAll);
    },
    /** Makes every serving worker read its files again. */
    reload() {
      for (const { serving } of slots) serving?.process.kill('SIGHUP');
    },
    /** Makes every worker finish its requests, save and end. One that does not is killed. */
    async stop() {
      stopping.abort();
      await Promise.all([...living.keys()].map(end));
    },
  };
}

/** Resolves to the reason once a process has ended, even if it could not be started at all. */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // Any other error concerns a message to a worker that has just ended, and its end is a separate event.
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}
