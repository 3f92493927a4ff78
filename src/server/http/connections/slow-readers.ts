import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SlowReadersOptions {
  /** Bytes of answers that may wait to be read on all connections together; beyond, the longest waiting goes. */
  readonly maxBytes: number;
  /** Milliseconds that any answer may take to be read. */
  readonly grace: number;
  /** Bytes a second that a reader must take beyond that. */
  readonly leastSpeed: number;
}

interface Reader {
  readonly bytes: number;
  /** When the answer must have been read, in milliseconds. */
  readonly due: number;
}

/** Answers that did not leave at once because their reader takes them slowly, or not at all. */
export interface SlowReaders {
  /** Called with an answer of which `bytes` did not leave at once. `onRead` is called when all of it has left. */
  watch(response: ServerResponse, bytes: number, now: number, onRead: () => void): void;
  /** Cuts those whose time is over. */
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
        // The last to come is always served: an answer that is larger than the bound must be possible.
        if (waitingBytes <= maxBytes || other === socket) break;
        cut(other);
      }
    },
    cutOverdue(now) {
      for (const [socket, { due }] of readers) if (due <= now) cut(socket);
    },
  };
}
