import { closeSync, openSync, readSync } from 'node:fs';

/** How long this thread, ready to run, has waited for a processor so far. */
export interface ProcessorWait {
  /** Milliseconds; always 0 where the system does not tell. */
  read(): number;
  close(): void;
}

const unknown: ProcessorWait = { read: () => 0, close: () => {} };

/** Linux counts it for every thread: the second figure of `schedstat`, in nanoseconds (proc_pid_schedstat). */
export function openProcessorWait(): ProcessorWait {
  let file: number;
  try {
    file = openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return unknown;
  }
  const buffer = Buffer.alloc(64);
  return {
    read() {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      return Number(buffer.toString('latin1', 0, length).split(' ')[1] ?? 0) / 1e6;
    },
    close: () => closeSync(file),
  };
}
