import type { Reply } from '../../http/replies/reply.ts';
import type { TypingGame } from '../game/typing-game.ts';
import { createHeavyWorker } from './heavy-work.ts';
import type { OwnRequest } from './own-request.ts';

/** Bytes of rounds that are read at the price of the request itself: about 10 usual rounds. */
const freeBytes = 16 * 1024;
/** A key takes at least this many bytes of a saved round. */
const bytesPerKey = 4;
/** Most keys that are paid for, five seconds at the default limit: a player with years of practice must not be shut out. */
const mostKeys = 1_000_000;

type Handle<Request extends OwnRequest> = (request: Request) => Promise<Reply>;

/** Wraps a handler that uses the history of the sender. */
export type FirstReading = <Request extends OwnRequest>(handle: Handle<Request>) => Handle<Request>;

/**
 * If the rounds of a player are not in memory, because they have not played for a while or the server has just started, the first
 * request reads them all. A client has this done for one player at a time, and pays for the length; otherwise a stranger
 * could ask for one long history after the other, each for the price of a request.
 */
export function createFirstReading(game: Pick<TypingGame, 'unreadBytes' | 'readRounds'>): FirstReading {
  const inTurn = createHeavyWorker();
  return (handle) => async (request) => {
    const { context, asking } = request;
    if ((await game.unreadBytes(asking)) <= freeBytes) return handle(request);
    return inTurn(context, async (owe) => {
      // Another request may have read them in the meantime.
      const bytes = await game.unreadBytes(asking);
      if (bytes <= freeBytes) return handle(request);
      try {
        await game.readRounds(asking);
        return await handle(request);
      } finally {
        // At the end: this request is answered, and the next ones have to wait.
        await owe(Math.min(bytes / bytesPerKey, mostKeys));
      }
    });
  };
}
