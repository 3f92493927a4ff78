import { createKeyedQueue } from '../../../kit/keyed-queue.ts';
import type { FinishedRound } from '../../../typing/statistics/finished-round.ts';
import { type Context, expectPaid, spend } from '../../http/requests/context.ts';

/** Keys and characters of a replayed round that cost as much as one request. */
const weightPerToken = 2000;

/** The cost of replaying a round: its keys, and the characters of its words. */
export function toWeight({ words, keys }: Pick<FinishedRound, 'words' | 'keys'>): number {
  return words.reduce((sum, word) => sum + word.length, keys.length);
}

/** Takes tokens for a weight (see `toWeight`), minus those already paid (default: 0). */
export type Owe = (weight: number, paid?: number) => Promise<void>;

/**
 * Does work whose cost becomes known only on the way: one piece at a time per client, which then has to wait until its debt is
 * paid. Rejects with a 429 if the client still owes tokens for the previous piece.
 */
export type HeavyWorker = <T>(context: Context, work: (owe: Owe) => Promise<T>) => Promise<T>;

export function createHeavyWorker(): HeavyWorker {
  const queue = createKeyedQueue();
  return (context, work) => {
    const owe: Owe = async (weight, paid = 0) => {
      await spend(context, Math.floor(weight / weightPerToken) - paid);
    };
    return queue.run(context.client, async () => {
      await expectPaid(context);
      return work(owe);
    });
  };
}
