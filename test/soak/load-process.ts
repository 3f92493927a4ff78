import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Message, Order } from './load.ts';

export interface LoadProcess {
  readonly progress: () => { readonly requests: number; readonly faults: number };
  /** Gives an order and resolves when it is carried out. */
  order(order: Order): Promise<void>;
  readonly done: Promise<Extract<Message, { type: 'done' }>>;
  kill(): void;
}

const answerTo: Partial<Record<Order, Message['type']>> = {
  hush: 'hushed',
  'end is near': 'ready for the end',
  'kill is near': 'ready for the end',
};

/** Starts the simulated clients; `number` tells their players from those of other loads, and their rounds have durations from `firstDuration` on. */
export function startLoad(port: number, firstDuration: number, number: number): LoadProcess {
  const program = fileURLToPath(new URL('load.ts', import.meta.url));
  const child = fork(program, [String(port), String(firstDuration), String(number)]);
  let progress = { requests: 0, faults: 0 };
  child.on('message', (message: Message) => {
    if (message.type === 'progress') progress = message;
  });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('the clients ended by themselves')));
  exited.catch(() => undefined);
  return {
    progress: () => progress,
    async order(order) {
      const type = answerTo[order];
      const carriedOut = type === undefined ? undefined : told(child, type);
      child.send(order);
      if (carriedOut !== undefined) await Promise.race([carriedOut, exited]);
    },
    done: Promise.race([told(child, 'done'), exited]),
    kill: () => child.kill('SIGKILL'),
  };
}

function told<T extends Message['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<Message, { type: T }>> {
  return new Promise((resolve) => {
    child.on('message', (message: Message) => {
      if (message.type === type) resolve(message as Extract<Message, { type: T }>);
    });
  });
}
