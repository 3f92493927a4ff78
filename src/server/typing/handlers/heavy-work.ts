import type { FinishedRound } from '../../../typing/statistics/finished-round.ts';
import { type Context, expectPaid, spend } from '../../http/requests/context.ts';

/** Keys and characters that cost as much as one request, where a round is typed again. */
const weightPerToken = 2000;

/** What it costs to type a round again: its keys, and its words, which are split into characters. */
export function toWeight({ words, keys }: Pick<FinishedRound, 'words' | 'keys'>): number {
  return words.reduce((sum, word) => sum + word.length, keys.length);
}

/** Takes tokens for a weight (see `toWeight`), less those that were paid before (default: 0). */
export type Owe = (weight: number, paid?: number) => Promise<void>;

/**
 * Does work whose cost is known only while it is done: one piece at a time for a client, which then waits until it has gained
 * the tokens that it owes. Throws 429 where it still owes some for the piece before.
 */
export type HeavyWorker = <T>(context: Context, work: (owe: Owe) => Promise<T>) => Promise<T>;

export function createHeavyWorker(): HeavyWorker {
  /** The last piece of each client that has one. */
  const last = new Map<string, Promise<unknown>>();
  return async (context, work) => {
    const { client } = context;
    const before = last.get(client);
    const owe: Owe = async (weight, paid = 0) => {
      await spend(context, Math.floor(weight / weightPerToken) - paid);
    };
    const run = async () => {
      if (before !== undefined) await before.catch(() => undefined);
      await expectPaid(context);
      return work(owe);
    };
    const running = run();
    last.set(client, running);
    try {
      return await running;
    } finally {
      if (last.get(client) === running) last.delete(client);
    }
  };
}
