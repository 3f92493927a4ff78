import { Socket } from 'node:net';

/** Milliseconds that a connection stays open after all its answers have been given to the system, while its client is still sending. */
const longestLinger = 2_000;
/** Milliseconds in which a client must have read enough of its last answers for the rest to fit into the buffers of the system. */
const longestDrain = 30_000;
/** Most bytes that are read and discarded in that time. */
const mostDiscarded = 4 * 1024 * 1024;

const { destroySoon } = Socket.prototype;

/** Bytes received on a connection by the time its last answer was written. */
const lingering = new WeakMap<Socket, number>();

/**
 * Writes the last answer of a connection, and closes it when the client has closed its side, or after two seconds. If it were
 * closed at once with unread bytes of the client, the system would reset the connection and discard answers not sent yet.
 *
 * @param answer empty: all answers have been written
 */
export function closeAfter(socket: Socket, answer: string): void {
  if (!socket.writable) {
    destroySoon.call(socket);
    return;
  }
  lingering.set(socket, socket.bytesRead);
  socket.end(answer);
  const destroyAfter = (milliseconds: number) => setTimeout(() => socket.destroy(), milliseconds).unref();
  let timer = destroyAfter(longestDrain);
  socket.once('finish', () => {
    clearTimeout(timer);
    timer = destroyAfter(longestLinger);
  });
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Lets node:http close the connection in the same way after an answer that does so, while the body of its request is still arriving.
 * By itself it closes at once.
 */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => closeAfter(socket, '');
}

/** Whether the connection has had its last answer. What it still sends is ignored, and too much of it cuts the connection. */
export function isLingering(socket: Socket): boolean {
  const before = lingering.get(socket);
  if (before === undefined) return false;
  if (socket.bytesRead - before > mostDiscarded) socket.destroy();
  return true;
}
