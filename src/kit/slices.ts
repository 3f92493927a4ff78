import { setImmediate } from 'node:timers';

/** Work that may pause at each yield, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/**
 * Milliseconds of such work in one turn of the event loop: a fifth of what a user notices. All jobs of the
 * process share them, because strangers decide how many there are at once.
 */
const allowance = 8;
/** Milliseconds of a job after which the next one goes on. */
const sliceLength = 1;

/** Does one step, and returns whether it was the last. */
type Job = () => boolean;

/** The next one first. */
const jobs: Job[] = [];
/** What is left of the allowance in this turn. */
let left = allowance;
let isPlanned = false;

/**
 * Does long work in slices; requests that arrive in the meantime are handled between them. Several jobs take
 * turns. If no other waits, and the allowance of this turn is not used up, the first slice is done at once.
 */
export function inSlices<T>(steps: Steps<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    jobs.push(() => {
      try {
        const step = steps.next();
        if (step.done === true) resolve(step.value);
        return step.done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    });
    if (jobs.length === 1) doSlices();
  });
}

function doSlices(): void {
  while (left > 0) {
    const job = jobs.shift();
    if (job === undefined) break;
    const start = performance.now();
    let isDone = job();
    while (!isDone && performance.now() - start < sliceLength) isDone = job();
    left -= performance.now() - start;
    if (!isDone) jobs.push(job);
  }
  if (!isPlanned) setImmediate(endTurn);
  isPlanned = true;
}

function endTurn(): void {
  isPlanned = false;
  left = allowance;
  if (jobs.length > 0) doSlices();
}
