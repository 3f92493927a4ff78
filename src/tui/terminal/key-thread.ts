import type { ReadStream } from 'node:tty';
import { Worker } from 'node:worker_threads';

export interface BytesListener {
  /** Bytes of keys, the monotonic ms (`performance.now`) of their arrival, and whether that is uncertain. */
  onBytes(bytes: Buffer, time: number, isLate: boolean): void;
  /** The terminal has gone away. */
  onGone(): void;
}

export interface KeyThread {
  /** Resolves when the listener has what was typed before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

type Message =
  | { readonly ready: true }
  | { readonly gone: true }
  | { readonly bytes: Uint8Array; readonly time: number; readonly waited: number };

/** A thread that has waited longer for a processor may be wrong about when it was woken, ms. */
const maxWait = 20;

/** Reads the terminal in a thread, or, if that is impossible, in this one. */
export function startKeyThread(
  input: ReadStream & { readonly fd: number },
  listener: BytesListener,
): KeyThread {
  // A Windows console has one reader at a time, and this thread has opened it already.
  const thread = process.platform === 'win32' ? undefined : startThread(input.fd);
  if (thread === undefined) return readHere(input, listener);
  const offset = performance.now() - Number(process.hrtime.bigint()) / 1e6;
  let fallback: KeyThread | undefined;
  const ready = new Promise<void>((resolve) => {
    thread.on('message', (message: Message) => {
      if ('ready' in message) resolve();
      else if ('gone' in message) listener.onGone();
      else listener.onBytes(Buffer.from(message.bytes), message.time + offset, message.waited > maxWait);
    });
    thread.once('error', () => {
      fallback = readHere(input, listener);
      resolve(fallback.ready);
    });
  });
  return {
    ready,
    async stop() {
      thread.removeAllListeners();
      await Promise.all([thread.terminate(), fallback?.stop()]);
    },
  };
}

function startThread(fd: number): Worker | undefined {
  // Built, this module lies in a chunk folder below the thread's file; from source, beside it.
  const file = import.meta.url.endsWith('.ts') ? './terminal-reader.ts' : '../terminal-reader.js';
  try {
    return new Worker(new URL(file, import.meta.url), { workerData: { fd } });
  } catch {
    return undefined;
  }
}

function readHere(input: ReadStream, { onBytes, onGone }: BytesListener): KeyThread {
  const read = (bytes: Buffer) => onBytes(bytes, performance.now(), false);
  input.on('data', read);
  for (const event of ['end', 'error']) input.on(event, onGone);
  input.resume();
  return {
    // A reading that is due comes before timers and immediates of the next turn.
    ready: new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    async stop() {
      input.off('data', read);
      for (const event of ['end', 'error']) input.off(event, onGone);
      input.pause();
    },
  };
}
