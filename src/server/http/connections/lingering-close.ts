import type { Socket } from 'node:net';

/** Milliseconds that a client has to read its last answers while it is still sending. */
const longestLinger = 2_000;
/** Most bytes that are read and discarded in that time. */
const mostDiscarded = 4 * 1024 * 1024;

/** Bytes received on a connection by the time its last answer was written. */
const lingering = new WeakMap<Socket, number>();

/**
 * Writes the last answer of a connection, and closes it when the client has closed its side, or after two seconds. If it were
 * closed at once with unread bytes of the client, the system would reset the connection and discard answers not sent yet.
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

/** Whether the connection has had its last answer. What it still sends is ignored, and too much of it cuts the connection. */
export function isLingering(socket: Socket): boolean {
  const before = lingering.get(socket);
  if (before === undefined) return false;
  if (socket.bytesRead - before > mostDiscarded) socket.destroy();
  return true;
}
