import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SlowReadersOptions {
  /** Most bytes waiting to be read on all connections together; beyond, the connection waiting for longest is cut. */
  readonly maxBytes: number;
  /** Milliseconds that reading any answer may take. */
  readonly grace: number;
  /** Bytes per second that a reader must take beyond that. */
  readonly leastSpeed: number;
}

interface Reader {
  readonly bytes: number;
  /** Deadline for reading the answer, in milliseconds. */
  readonly due: number;
}

/** Answers that could not be sent at once because their client reads slowly, or not at all. */
export interface SlowReaders {
  /** Watches an answer of which `bytes` could not be sent at once; calls `onRead` when all of it has been sent. */
  watch(response: ServerResponse, bytes: number, now: number, onRead: () => void): void;
  /** Cuts the connections whose deadline has passed. */
  cutOverdue(now: number): void;
}

export function createSlowReaders({ maxBytes, grace, leastSpeed }: SlowReadersOptions): SlowReaders {
  /** In the order in which they began to wait. */
  const readers = new Map<Socket, Reader>();
  let waitingBytes = 0;

  function forget(socket: Socket): void {
    waitingBytes -= readers.get(socket)?.bytes ?? 0;
    readers.delete(socket);
  }

  function cut(socket: Socket): void {
    forget(socket);
    socket.destroy();
  }

  return {
    watch(response, bytes, now, onRead) {
      const { socket } = response;
      if (socket === null) return;
      forget(socket);
      readers.set(socket, { bytes, due: now + grace + (bytes / leastSpeed) * 1000 });
      waitingBytes += bytes;
      response.once('finish', onRead);
      response.once('close', () => forget(socket));
      for (const [other] of readers) {
        // The latest one is always served: an answer larger than the bound must be possible.
        if (waitingBytes <= maxBytes || other === socket) break;
        cut(other);
      }
    },
    cutOverdue(now) {
      for (const [socket, { due }] of readers) if (due <= now) cut(socket);
    },
  };
}
