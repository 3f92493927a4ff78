import { setImmediate } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import { Worker } from 'node:worker_threads';
import type { Reading } from './key-timing.ts';
import { createStallWatch, type StallWatch } from './stall-watch.ts';

/** Where the keys come from. */
export interface KeySource {
  /** Whether a thread of its own reads the terminal; else the drawing thread does. */
  readonly isOffThread: boolean;
  stop(): Promise<void>;
}

export interface KeyListener {
  onReading(reading: Reading): void;
  /** The reader was held up for so many ms. */
  onStall(stall: number): void;
  /** The terminal has gone away. */
  onGone(): void;
}

type ReaderMessage =
  | { readonly ready: true }
  | { readonly gone: true }
  | { readonly stall: number }
  | Reading;

/**
 * Reads the terminal in a thread of its own, or, where that is impossible, in this one. When it resolves, the listener has
 * what was typed before.
 */
export async function startKeySource(
  stdin: ReadStream & { readonly fd: number },
  listener: KeyListener,
): Promise<KeySource> {
  // A Windows console has one reader at a time, and this thread has opened it already.
  const thread = process.platform === 'win32' ? undefined : await startReaderThread(stdin.fd, listener);
  if (thread !== undefined) return thread;
  const source = readHere(stdin, listener);
  await firstLook();
  return source;
}

async function startReaderThread(fd: number, listener: KeyListener): Promise<KeySource | undefined> {
  // Built, this module lies in a chunk folder below the reader; from source, the reader lies beside it.
  const file = import.meta.url.endsWith('.ts') ? './terminal-reader.ts' : '../terminal-reader.js';
  let worker: Worker;
  try {
    worker = new Worker(new URL(file, import.meta.url), { workerData: { fd } });
  } catch {
    return undefined;
  }
  const isReady = await new Promise<boolean>((resolve) => {
    worker.on('message', (message: ReaderMessage) => {
      if ('ready' in message) resolve(true);
      else passOn(message, listener);
    });
    worker.once('error', () => resolve(false));
    worker.once('exit', () => resolve(false));
  });
  if (!isReady) return undefined;
  worker.on('error', () => listener.onGone());
  return {
    isOffThread: true,
    async stop() {
      worker.removeAllListeners();
      await worker.terminate();
    },
  };
}

function passOn(message: ReaderMessage, listener: KeyListener): void {
  if ('gone' in message) listener.onGone();
  else if ('bytes' in message) listener.onReading(message);
  else if ('stall' in message) listener.onStall(message.stall);
}

/** A reading that is due comes before timers and immediates of the next turn. */
async function firstLook(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function readHere(stdin: ReadStream, listener: KeyListener): KeySource {
  const watch: StallWatch = createStallWatch({ onStall: (stall) => listener.onStall(stall) });
  const read = (bytes: Buffer) => listener.onReading({ bytes, ...watch.stamp() });
  const gone = () => listener.onGone();
  stdin.on('data', read);
  stdin.on('end', gone);
  stdin.on('error', gone);
  stdin.resume();
  return {
    isOffThread: false,
    async stop() {
      watch.stop();
      stdin.off('data', read);
      stdin.off('end', gone);
      stdin.off('error', gone);
      stdin.pause();
    },
  };
}
