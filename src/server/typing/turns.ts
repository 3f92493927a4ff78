import { setImmediate as nextTurn } from 'node:timers/promises';
import { createKeyedQueue } from '../../kit/keyed-queue.ts';
import { HttpError } from '../http/errors.ts';

export interface TurnLimits {
  /** Maximum number of requests that wait or are in work: of all owners, and of each. */
  readonly total: number;
  readonly each: number;
}

export type Turns = ReturnType<typeof createTurns>;

/**
 * For requests that take long: one at a time of each owner, so that nobody waits for all that one asks for.
 * Throws a 429 if too many wait already: those of clients that are gone are worked off, too.
 */
export function createTurns({ total, each }: TurnLimits) {
  const turns = createKeyedQueue();
  const waiting: string[] = [];
  return {
    /** Begins after everything of this owner that waits already, however much that is. */
    after: async <T>(owner: string, work: () => Promise<T>): Promise<T> => turns.run(owner, work),
    /** @param arrive what comes before the request waits for its turn */
    async run<T>(owner: string, work: () => Promise<T>, arrive?: () => Promise<unknown>): Promise<T> {
      if (waiting.length >= total || waiting.filter((other) => other === owner).length >= each)
        throw tooManyWaiting;
      waiting.push(owner);
      try {
        await arrive?.();
        return await turns.run(owner, async () => {
          // Other requests come in between.
          await nextTurn();
          return work();
        });
      } finally {
        waiting.splice(waiting.indexOf(owner), 1);
      }
    },
  };
}

const tooManyWaiting = new HttpError(
  'RATE_LIMITED',
  'Too many of your requests are waiting: send this one again later.',
  ['Retry-After', '1'],
);
