import type { Socket } from 'node:net';

/** Milliseconds that a client has to read its last answers while it still sends. */
const longestLinger = 2_000;
/** Bytes that are read and thrown away meanwhile. */
const mostDiscarded = 4 * 1024 * 1024;

/** How many bytes had come from a connection when its last answer was written. */
const lingering = new WeakMap<Socket, number>();

/**
 * Writes the last answer of a connection and closes it when the client has, at most two seconds later. Closed at once, with
 * bytes of the client still unread, the system resets the connection, and with that throws away the answers that it has not
 * sent yet.
 */
export function closeAfter(socket: Socket, answer: string): void {
  if (!socket.writable) {
    socket.destroySoon();
    return;
  }
  lingering.set(socket, socket.bytesRead);
  socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), longestLinger);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Whether the connection has its last answer. What it still sends has no effect, and cuts it when it is too much. */
export function isLingering(socket: Socket): boolean {
  const before = lingering.get(socket);
  if (before === undefined) return false;
  if (socket.bytesRead - before > mostDiscarded) socket.destroy();
  return true;
}
