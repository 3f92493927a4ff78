import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { type ConcurrencyLimits, createConcurrencyLimit } from '../http/concurrency-limit.ts';

export type Turns = ReturnType<typeof createTurns>;

/**
 * For requests that take long: one at a time of each owner, so that nobody waits for all that one asks for.
 * A request whose client has gone keeps its turn.
 */
export function createTurns(limits: ConcurrencyLimits) {
  const turns = createKeyedQueue();
  const limited = createConcurrencyLimit(limits);
  return {
    /** Begins after everything of this owner that waits already, however much that is. */
    after: async <T>(owner: string, work: () => Promise<T>): Promise<T> => turns.run(owner, work),
    /** @param arrive what comes before the request waits for its turn */
    run: <T>(owner: string, work: () => Promise<T>, arrive?: () => Promise<unknown>): Promise<T> =>
      limited(owner, async () => {
        await arrive?.();
        return turns.run(owner, async () => {
          // Other requests come in between.
          await nextTurn();
          return work();
        });
      }),
  };
}
