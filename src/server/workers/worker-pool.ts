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
  /**
   * Replaces one worker after another without interrupting service. If called again meanwhile, the new ones
   * are replaced too.
   */
  roll(): void;
  /** Makes every worker read its files again; a starting one does so once it serves. */
  reload(): void;
  /** Makes every worker finish its requests, save and end. One that does not is killed. */
  stop(): Promise<void>;
}

const signals = { end: 'SIGTERM', reload: 'SIGHUP' } as const;

/**
 * Seconds a worker has to end. It gives running requests five and saves afterwards; service managers often
 * wait for the whole server only a little longer (the unit in `deploy` 15 s). A stopped or hung worker would
 * hold up the end of the server, or a roll, forever.
 */
const secondsToEnd = 10;

/**
 * Starts the workers. Rejects if the first one ends before it serves; it has then printed the reason itself.
 */
export async function startWorkerPool({ count, log }: WorkerPoolOptions): Promise<WorkerPool> {
  const workers = new Map<number, Worker>();
  const timers = new Set<NodeJS.Timeout>();
  const deadlines = new Map<number, NodeJS.Timeout>();
  let state = newPool(count);
  let first: ReadyMessage | undefined;
  const opened = newDeferred();
  const stopped = newDeferred();

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
        clearTimeout(deadlines.get(id));
        deadlines.delete(id);
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
  /**
   * A worker that a roll has replaced may be asked again when the server stops: its time runs from the first
   * time on.
   */
  const end = (id: number) => {
    const worker = workers.get(id)?.process;
    worker?.kill(signals.end);
    if (worker === undefined || deadlines.has(id)) return;
    const kill = () => {
      log.warn(
        `worker ${id} has not ended within ${secondsToEnd} s and is killed; what it had not saved is lost`,
      );
      worker.kill('SIGKILL');
    };
    deadlines.set(id, setTimeout(kill, secondsToEnd * 1000));
  };
  const carryOut = (effect: PoolEffect) => {
    if (effect.type === 'fork') fork(effect.id);
    else if (effect.type === 'end') end(effect.id);
    else if (effect.type === 'wait') wait(effect.slot, effect.ms);
    else if ('id' in effect) workers.get(effect.id)?.process.kill(signals.reload);
    else if ('message' in effect) log[effect.type](effect.message);
    else if (effect.type === 'failed')
      opened.reject(new Error('the first worker exited before it was ready.'));
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
function newDeferred() {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}
