import { setImmediate } from 'node:timers';

/** Work that may pause at each yield, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/**
 * Milliseconds of such work in one turn of the event loop: a fifth of what a user notices. All jobs of the process share them,
 * because strangers decide how many there are at once.
 */
const allowance = 8;

/** Does one step, and tells whether it was the last. */
type Job = () => boolean;

/** Jobs that wait for a later turn, the next one first. */
const waiting: Job[] = [];
/** What is left of the allowance in this turn. */
let left = allowance;
let isTurnEnding = false;

/**
 * Does long work in slices; requests that arrive in the meantime are handled between two of them. Several jobs take turns. The
 * first slice is done at once if the allowance of this turn is not used up.
 */
export function inSlices<T>(steps: Steps<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const job = () => {
      try {
        const step = steps.next();
        if (step.done === true) resolve(step.value);
        return step.done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    if (waiting.length > 0 || left <= 0) waiting.push(job);
    else doSlice(job);
    planEnd();
  });
}

function doSlice(job: Job): void {
  const start = performance.now();
  let isDone = job();
  while (!isDone && performance.now() - start < left) isDone = job();
  left -= performance.now() - start;
  if (!isDone) waiting.push(job);
}

function planEnd(): void {
  if (isTurnEnding) return;
  isTurnEnding = true;
  setImmediate(endTurn);
}

/** Uses what is left of the allowance; the next turn starts with a full one. */
function endTurn(): void {
  isTurnEnding = false;
  while (left > 0) {
    const job = waiting.shift();
    if (job === undefined) break;
    doSlice(job);
  }
  left = allowance;
  if (waiting.length > 0) planEnd();
}

/** Does the same work in one piece, for those who let nobody wait. */
export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
