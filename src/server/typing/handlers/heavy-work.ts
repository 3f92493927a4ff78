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

/** Takes tokens for a weight (see `toWeight`), minus those already paid (default: 0): the client's next requests wait until it is paid. */
export async function owe(context: Context, weight: number, paid = 0): Promise<void> {
  await spend(context, Math.floor(weight / weightPerToken) - paid);
}

/**
 * How many pieces of work of each kind, of all clients together, may be under way at once. `short` takes milliseconds. `long` may be a
 * page of long rounds, or a history to be read. `large` has a large body, which may take 50 times its size in memory. At least two, so
 * that one may wait for the disk or the store. The kinds do not wait for each other, so nobody can delay usual work with long work.
 */
const mostAtOnce = { short: 4, long: 4, large: 2 } as const;

export type Heaviness = keyof typeof mostAtOnce;

/**
 * Work whose cost is only known once it is under way, and is charged then: few pieces at once, and one of each client. It must not wait
 * for its client, because others wait for its end, and must not contain other work of this kind.
 */
export interface HeavyWork {
  /** Waits for the turn of a client, and resolves to the end of it. Rejects with a 429 if the client still owes tokens. */
  begin(context: Context, heaviness: Heaviness): Promise<() => void>;
  /** Does a piece of long work in a turn of its own. */
  inTurn<T>(context: Context, work: () => Promise<T>): Promise<T>;
}

export function createHeavyWork(): HeavyWork {
  const { short, long, large } = mostAtOnce;
  const lanes = { short: createLane(short), long: createLane(long), large: createLane(large) };
  const begin = async (context: Context, heaviness: Heaviness) => {
    const end = await takeTurn(lanes[heaviness], context);
    try {
      await expectPaid(context);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  };
  return {
    begin,
    async inTurn(context, work) {
      const end = await begin(context, 'long');
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
