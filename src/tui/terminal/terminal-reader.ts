// Runs in another thread, so that a key gets its time when it arrives, however busy the drawing thread is.
import { openSync, readSync } from 'node:fs';
import type { ConnectOpts, SocketConstructorOpts } from 'node:net';
import { ReadStream } from 'node:tty';
import { parentPort, workerData } from 'node:worker_threads';

const port = parentPort;
if (port === null) throw new Error('This file is a worker thread: start it with new Worker().');

const runDelay = openRunDelay();
let rested = runDelay();
const buffer = Buffer.alloc(65_536);
// Without a stream's own buffers, and as a string: half the processor time a key.
const options: SocketConstructorOpts & ConnectOpts = {
  onread: {
    buffer,
    callback(length) {
      const now = Number(process.hrtime.bigint()) / 1e6;
      // This thread does nothing else: if it waited for a processor since it rested, so did the keys.
      const waited = runDelay() - rested;
      port.postMessage({ bytes: buffer.toString('latin1', 0, length), time: now, waited });
      rested = runDelay();
      return true;
    },
  },
};
const stream = new ReadStream((workerData as { readonly fd: number }).fd, options);
stream.resume();
stream.on('end', () => port.postMessage({ gone: true }));
stream.on('error', () => port.postMessage({ gone: true }));
// After the terminal was polled once: what was typed before has been posted by then.
setImmediate(() => setImmediate(() => port.postMessage({ ready: true })));

/** Ms that this thread, ready to run, has waited for a processor; 0 if the system does not say. */
type RunDelay = () => number;

/** Linux counts it for every thread: the second number of `schedstat`, ns (proc_pid_schedstat). */
function openRunDelay(): RunDelay {
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
