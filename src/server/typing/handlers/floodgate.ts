import { createLane } from '../requests/lane.ts';
import type { FirstReading } from './first-reading.ts';
import type { HeavyWork } from './heavy-work.ts';
import type { OwnHandler } from './own-request.ts';
import { takeTurn } from './turn.ts';

/** Bytes of a round of more than a thousand keys: longer ones count as large. */
const largeBytes = 64 * 1024;
/**
 * Large bodies in work at once, of all clients: what is made of one takes up to 50 times its bytes. Two, so that one may wait
 * for the disk.
 */
const mostLarge = 2;

/**
 * Wraps a handler whose bodies are heavy work: one is parsed only when its turn has come, and its turn ends with the answer. Until then
 * only its bytes are held, which count towards the budget of bodies if they are many.
 */
export function createFloodgate(
  heavy: HeavyWork,
  { isShort }: Pick<FirstReading, 'isShort'>,
): (handle: OwnHandler) => OwnHandler {
  const lane = createLane(mostLarge);
  return (handle) => async (request) => {
    const { context, asking } = request;
    const ends: (() => void)[] = [];
    context.takeTurn = async (bytes) => {
      const isLarge = bytes > largeBytes;
      if (isLarge) ends.push(await takeTurn(lane, context));
      ends.push(await heavy.begin(context, !isLarge && (await isShort(asking))));
    };
    try {
      return await handle(request);
    } finally {
      for (const end of ends) end();
    }
  };
}
