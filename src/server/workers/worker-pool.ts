import cluster, { type Worker } from 'node:cluster';
import type { Log } from '../settings/log.ts';
import { newPool, type PoolEffect, type PoolEvent, reducePool } from './pool-state.ts';

/** Sent by a worker to the primary once it serves. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly url: string;
  readonly contentDir: string;
  readonly dataDir: string;
}

export interface WorkerPoolOptions {
  /** Number of serving workers. */
  readonly count: number;
  readonly log: Log;
}

/** Several processes of this program that listen on one port. */
export interface WorkerPool {
  /** The message of the first worker; all send the same. */
  readonly ready: ReadyMessage;
  /** Replaces one worker after another without interrupting service. If called again meanwhile, the new ones are replaced too. */
  roll(): void;
  /** Makes every worker read its files again; a starting one does so once it serves. */
  reload(): void;
  /** Makes every worker finish its requests, save and end. */
  stop(): Promise<void>;
}

const signals = { end: 'SIGTERM', reload: 'SIGHUP' } as const;

/** Starts the workers. Rejects if the first one ends before it serves; it has then printed the reason itself. */
export async function startWorkerPool({ count, log }: WorkerPoolOptions): Promise<WorkerPool> {
  const workers = new Map<number, Worker>();
  const timers = new Set<NodeJS.Timeout>();
  let state = newPool(count);
  let first: ReadyMessage | undefined;
  const opened = newOutcome();
  const stopped = newOutcome();

  const dispatch = (event: PoolEvent) => {
    const { state: next, effects } = reducePool(state, event);
    state = next;
    for (const effect of effects) carryOut(effect);
  };
  const fork = (id: number) => {
    const worker = forkWorker({
      onReady(message) {
        first ??= message;
        dispatch({ type: 'ready', id });
      },
      onExit(reason) {
        workers.delete(id);
        dispatch({ type: 'exit', id, reason });
      },
    });
    workers.set(id, worker);
  };
  const wait = (slot: number, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      dispatch({ type: 'waited', slot });
    }, ms);
    timers.add(timer);
  };
  const carryOut = (effect: PoolEffect) => {
    if (effect.type === 'fork') fork(effect.id);
    else if (effect.type === 'wait') wait(effect.slot, effect.ms);
    else if ('id' in effect) workers.get(effect.id)?.process.kill(signals[effect.type]);
    else if ('message' in effect) log[effect.type](effect.message);
    else if (effect.type === 'failed') opened.reject(new Error('the first worker ended before it served.'));
    else (effect.type === 'opened' ? opened : stopped).resolve();
  };

  dispatch({ type: 'open' });
  await opened.promise;
  if (first === undefined) throw new Error('no worker has reported its address.');
  return {
    ready: first,
    roll: () => dispatch({ type: 'roll' }),
    reload: () => dispatch({ type: 'reload' }),
    async stop() {
      dispatch({ type: 'stop' });
      for (const timer of timers) clearTimeout(timer);
      await stopped.promise;
    },
  };
}

interface WorkerListeners {
  readonly onReady: (message: ReadyMessage) => void;
  /** Called once, even if the process could not be started at all. */
  readonly onExit: (reason: string) => void;
}

function forkWorker({ onReady, onExit }: WorkerListeners): Worker {
  const worker = cluster.fork();
  worker.once('exit', (code, signal) => onExit(signal ?? `exit code ${code}`));
  // Any other error concerns a message to a worker that has just ended, and its end is a separate event.
  worker.on('error', (error: Error) => {
    if (worker.process.pid === undefined) onExit(error.message);
  });
  worker.on('message', (message: Partial<ReadyMessage>) => {
    if (message.type === 'ready') onReady(message as ReadyMessage);
  });
  return worker;
}

/** A promise with the functions that settle it. */
function newOutcome() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}
