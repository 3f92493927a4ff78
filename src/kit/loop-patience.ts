/** Milliseconds of one step of waiting. If a step takes twice as long, the event loop was busy and the step does not count. */
const step = 100;
/** Milliseconds after which the waiting ends however busy the loop was. */
const longestWait = 5_000;

/** Nothing arrived, although the event loop was free to receive it. */
export class SilenceError extends Error {}

/**
 * Settles like `work`, or rejects with a `SilenceError` once the event loop has been free for `patience` milliseconds (or five
 * seconds have passed). Time in which other work blocked the loop does not count: the answer may have arrived long ago without
 * having been read. For the same reason the sockets are read once more before the wait ends.
 */
export async function waitWhileFree<T>(work: Promise<T>, patience: number): Promise<T> {
  let stop = () => {};
  const silence = new Promise<never>((_, reject) => {
    stop = afterFreeTime(patience, () => reject(new SilenceError('timed out')));
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    stop();
  }
}

/** Calls back after so many milliseconds of a free loop. Returns a function that cancels it. */
function afterFreeTime(patience: number, onOver: () => void): () => void {
  let free = 0;
  const start = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let look: NodeJS.Immediate | undefined;
  const wait = () => {
    const begin = performance.now();
    timer = setTimeout(() => {
      const now = performance.now();
      if (now - begin < 2 * step) free += step;
      // An immediate runs after the loop has read from the sockets.
      if (free >= patience || now - start >= longestWait) look = setImmediate(onOver);
      else wait();
    }, step);
  };
  wait();
  return () => {
    clearTimeout(timer);
    clearImmediate(look);
  };
}
