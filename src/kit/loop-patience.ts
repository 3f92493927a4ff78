/** Milliseconds of one step of waiting. One that takes twice as long says that the loop was busy, and does not count. */
const step = 100;
/** Milliseconds after which the waiting ends however busy the loop was. */
const longestWait = 5_000;

/** What was waited for has not come, although the loop was free to take it. */
export class SilenceError extends Error {}

/**
 * Gives what the work gives, or rejects with a `SilenceError` once the loop has been free for so many milliseconds without
 * it. Time in which other work held the loop is not the fault of the one who is waited for: the answer may have come long
 * ago and not have been read. So the last look at the sockets comes after the time is over.
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

/** Calls back after so many milliseconds of a free loop, unless it is stopped. */
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
      // An immediate runs after the loop has read what is in the sockets.
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
