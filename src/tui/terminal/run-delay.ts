import { openSync, readSync } from 'node:fs';

/** Ms that this thread, ready to run, has waited for a processor so far; always 0 if the system does not tell. */
export type RunDelay = () => number;

/** Linux counts it for every thread: the second number of `schedstat`, in nanoseconds (proc_pid_schedstat). */
export function openRunDelay(): RunDelay {
  let file: number;
  try {
    file = openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return () => 0;
  }
  const buffer = Buffer.alloc(64);
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ')[1] ?? 0) / 1e6;
  };
}
