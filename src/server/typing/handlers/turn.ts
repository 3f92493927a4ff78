import type { Context } from '../../http/requests/context.ts';
import { HttpError } from '../../http/requests/http-error.ts';
import type { Lane } from '../requests/lane.ts';

/** Waits for the client's turn in a lane. Resolves to the end of the turn; rejects if the client disconnects before it begins. */
export function takeTurn(lane: Lane, { client, request }: Context): Promise<() => void> {
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
