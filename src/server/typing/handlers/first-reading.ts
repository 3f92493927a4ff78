import type { Reply } from '../../http/replies/reply.ts';
import type { Asking } from '../../stores/player.ts';
import type { TypingGame } from '../game/typing-game.ts';
import { type HeavyWork, owe } from './heavy-work.ts';
import type { OwnRequest } from './own-request.ts';

/** Bytes of rounds that are read at the price of the request itself: about 10 usual rounds. */
const freeBytes = 16 * 1024;
/** A key takes at least this many bytes of a saved round. */
const bytesPerKey = 4;
/** Most keys that are paid for, five seconds at the default limit: a player with years of practice must not be shut out. */
const mostKeys = 1_000_000;

/**
 * If the rounds of a player are not in memory, because they have not played for a while or the server has just started, the first
 * request reads them all; so does any request that needs more than what is kept of them in memory. A client pays by their length:
 * otherwise a stranger could ask for one long history after the other, each for the price of one request.
 */
export interface FirstReading {
  /**
   * Does what uses the history of the sender, and does the reading before it as heavy work. Call it once the body of the request
   * has arrived: others at the same address wait for the end.
   */
  before(request: OwnRequest, work: () => Promise<Reply>): Promise<Reply>;
  /** Whether there is little or nothing to read. */
  isShort(asking: Asking): Promise<boolean>;
  /** Reads the rounds of the sender, within heavy work. Resolves to the weight that is owed for it. */
  read(asking: Asking): Promise<number>;
}

export function createFirstReading(
  game: Pick<TypingGame, 'unreadBytes' | 'readRounds'>,
  heavy: HeavyWork,
): FirstReading {
  const read = async (asking: Asking) => {
    const bytes = await game.unreadBytes(asking);
    if (bytes <= freeBytes) return 0;
    await game.readRounds(asking);
    return Math.min(bytes / bytesPerKey, mostKeys);
  };
  const isShort = async (asking: Asking) => (await game.unreadBytes(asking)) <= freeBytes;
  return {
    isShort,
    read,
    async before({ context, asking }, work) {
      if (await isShort(asking)) return work();
      return heavy.inTurn(context, async () => {
        const weight = await read(asking);
        try {
          return await work();
        } finally {
          // At the end: this request is answered, and the next ones have to wait.
          await owe(context, weight);
        }
      });
    },
  };
}
