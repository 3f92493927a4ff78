import type { Asking } from '../../stores/player.ts';
import type { FirstReading } from './first-reading.ts';
import type { Heaviness, HeavyWork } from './heavy-work.ts';
import type { OwnHandler } from './own-request.ts';

/** Bytes of a round of more than a thousand keys: longer ones count as large. */
const largeBytes = 64 * 1024;

/**
 * Wraps a handler whose bodies are heavy work: one is parsed only when its turn has come, and its turn ends with the answer. Until then
 * only its bytes are held, which count towards the budget of bodies if they are many.
 */
export function createFloodgate(
  heavy: HeavyWork,
  { isShort }: Pick<FirstReading, 'isShort'>,
): (handle: OwnHandler) => OwnHandler {
  const weigh = async (bytes: number, asking: Asking): Promise<Heaviness> => {
    if (bytes > largeBytes) return 'large';
    return (await isShort(asking)) ? 'short' : 'long';
  };
  return (handle) => async (request) => {
    const { context, asking } = request;
    let end: (() => void) | undefined;
    context.takeTurn = async (bytes) => {
      end = await heavy.begin(context, await weigh(bytes, asking));
    };
    try {
      return await handle(request);
    } finally {
      end?.();
    }
  };
}
