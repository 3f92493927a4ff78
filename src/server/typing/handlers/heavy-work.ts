import type { FinishedRound } from '../../../typing/statistics/finished-round.ts';
import { type Context, expectPaid, spend } from '../../http/requests/context.ts';
import { createLane } from '../requests/lane.ts';
import { takeTurn } from './turn.ts';

/** Keys and characters of a replayed round that cost as much as one request. */
const weightPerToken = 2000;

/** The cost of replaying a round: its keys, and the characters of its words. */
export function toWeight({ words, keys }: Pick<FinishedRound, 'words' | 'keys'>): number {
  return words.reduce((sum, word) => sum + word.length, keys.length);
}

/** Takes tokens for a weight (see `toWeight`), minus those already paid (default: 0). */
export type Owe = (weight: number, paid?: number) => Promise<void>;

/**
 * Pieces of work at once, of all clients: what is made of a page of long rounds takes megabytes. Four, so that some may wait for
 * the disk or the store.
 */
const mostAtOnce = 4;

/**
 * Does work whose cost becomes known only on the way: few pieces at once, and one of each client, which then has to wait until its
 * debt is paid. Rejects with a 429 if the client still owes tokens for the previous piece. The work must not wait for its client,
 * because others wait for its end, and it must not do other work in this way.
 */
export type HeavyWorker = <T>(context: Context, work: (owe: Owe) => Promise<T>) => Promise<T>;

export function createHeavyWorker(): HeavyWorker {
  const lane = createLane(mostAtOnce);
  return async (context, work) => {
    const leave = await takeTurn(lane, context);
    try {
      await expectPaid(context);
      return await work(async (weight, paid = 0) => {
        await spend(context, Math.floor(weight / weightPerToken) - paid);
      });
    } finally {
      leave();
    }
  };
}
