import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Crowd, Message, Order, Victims } from './load.ts';

type Done = Extract<Message, { type: 'done' }>;

export interface LoadProcess {
  readonly progress: () => { readonly requests: number; readonly faults: number };
  /** Gives an order and resolves when it is carried out. */
  order(order: Order): Promise<void>;
  readonly done: Promise<Done>;
  kill(): void;
}

const answerTo: Partial<Record<Order, Message['type']>> = {
  hush: 'hushed',
  'end is near': 'ready for the end',
  'kill is near': 'ready for the end',
};

const program = fileURLToPath(new URL('load.ts', import.meta.url));
/** Attackers have machines of their own; here they take what the server and its users leave. */
const attackersPriority = 10;

/** Starts the simulated clients; `number` tells their players from those of other loads, and their rounds have durations from `firstDuration` on. */
export function startLoad(port: number, firstDuration: number, number: number): LoadProcess {
  const attackers = fork(program, [String(port), '0', String(number), 'attackers' satisfies Crowd]);
  if (attackers.pid !== undefined) setPriority(attackers.pid, attackersPriority);
  const users = fork(program, [String(port), String(firstDuration), String(number), 'users' satisfies Crowd]);
  const crowds = [users, attackers].map(toCrowd);
  users.on('message', (message: Message) => {
    if (message.type !== 'progress' || !attackers.connected) return;
    attackers.send({ victims: message.victims } satisfies Victims);
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    progress: () => ({
      requests: sum(crowds.map(({ progress }) => progress().requests)),
      faults: sum(crowds.map(({ progress }) => progress().faults)),
    }),
    order: async (order) => void (await Promise.all(crowds.map((one) => one.order(order)))),
    done: Promise.all(crowds.map(({ done }) => done)).then(withFiguresOf),
    kill() {
      for (const crowd of crowds) crowd.kill();
    },
  };
}

/** What users did and saw, with the requests and the faults of both. */
function withFiguresOf([users, attackers]: readonly Done[]): Done {
  if (users === undefined || attackers === undefined) throw new Error('There are two crowds.');
  const tally = {
    kinds: [...users.tally.kinds, ...attackers.tally.kinds],
    faults: [...users.tally.faults, ...attackers.tally.faults],
  };
  return { ...users, tally };
}

function toCrowd(child: ChildProcess): LoadProcess {
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
    kill: () => void child.kill('SIGKILL'),
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
