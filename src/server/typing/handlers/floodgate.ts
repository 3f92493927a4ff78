import { createLane } from '../requests/lane.ts';
import type { OwnHandler } from './own-request.ts';
import { takeTurn } from './turn.ts';

/**
 * Large bodies in work at once, of all clients: what is made of one takes up to 50 times its bytes. Two, so that one may wait
 * for the disk.
 */
const mostAtOnce = 2;

/**
 * Wraps a handler of large bodies: one is parsed only when its turn has come, and its turn ends with the answer. Until then
 * only its bytes are held, which count towards the budget of bodies. Small bodies do not wait.
 */
export function createFloodgate(): (handle: OwnHandler) => OwnHandler {
  const lane = createLane(mostAtOnce);
  return (handle) => async (request) => {
    let leave: (() => void) | undefined;
    request.context.takeTurn = async () => {
      leave = await takeTurn(lane, request.context);
    };
    try {
      return await handle(request);
    } finally {
      leave?.();
    }
  };
}
