import { HttpError } from '../../http/requests/http-error.ts';
import { createLane, type Lane } from '../requests/lane.ts';
import type { OwnHandler, OwnRequest } from './own-request.ts';

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
      leave = await enter(lane, request.context);
    };
    try {
      return await handle(request);
    } finally {
      leave?.();
    }
  };
}

/** Resolves to the end of the turn; rejects if the client disconnects before it begins. */
function enter(lane: Lane, { client, request }: OwnRequest['context']): Promise<() => void> {
  const { socket } = request;
  const { begun, leave } = lane.enter(client);
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      leave();
      reject(new HttpError(400, 'INVALID_REQUEST', 'The client disconnected before its turn.'));
    };
    if (socket.destroyed) return giveUp();
    socket.once('close', giveUp);
    void begun.then(() => {
      socket.off('close', giveUp);
      resolve(leave);
    });
  });
}
