import { setImmediate } from 'node:timers';

/** Work that may pause at each yield, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/**
 * Milliseconds of such work in one turn of the event loop: a fifth of what a user notices. All jobs of the process share them,
 * because strangers decide how many there are at once.
 */
const allowance = 8;
/** Milliseconds after which a job waits for others that have begun: enough for all of a short one. */
const firstSlice = 1;

/** The same in a turn in which something has come that must not wait for long ones: hardly more than one step. */
const shortAllowance = 0.1;

/** Does one step, and tells whether it was the last. */
type Job = () => boolean;

/** Jobs that have not begun, the oldest first. */
const fresh: Job[] = [];
/** Jobs that go on in a later turn, the next one first. */
const begun: Job[] = [];
/** What is left of the allowance in this turn. */
let left = allowance;
let isTurnEnding = false;
let givesWay = false;

/**
 * Does long work in slices; requests that arrive in the meantime are handled between two of them. Several jobs take turns, and the
 * first millisecond of each comes before the rest of others, so that a short job does not wait for long ones. The first slice is done
 * at once if the allowance of this turn is not used up.
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
    if (fresh.length > 0 || left <= 0) fresh.push(job);
    else doSlice(job, begun.length > 0 ? Math.min(firstSlice, left) : left);
    planEnd();
  });
}

/** Does steps of a job until this many milliseconds are over, and at least one. */
function doSlice(job: Job, length: number): void {
  const start = performance.now();
  let isDone = job();
  while (!isDone && performance.now() - start < length) isDone = job();
  left -= performance.now() - start;
  if (!isDone) begun.push(job);
}

/**
 * Makes this turn of the event loop and the next short ones. For new connections, of which each turn accepts only one: others may be
 * waiting.
 */
export function giveWay(): void {
  givesWay = true;
  left = Math.min(left, shortAllowance);
}

function planEnd(): void {
  if (isTurnEnding) return;
  isTurnEnding = true;
  setImmediate(endTurn);
}

/** Uses what is left of the allowance, half of it for jobs that have begun if there are any; the next turn starts with a full one. */
function endTurn(): void {
  isTurnEnding = false;
  beginUntil(left / 2);
  // One step at least: otherwise new jobs could keep those that have begun from going on.
  do {
    const job = begun.shift();
    if (job === undefined) break;
    doSlice(job, left);
  } while (left > 0);
  beginUntil(0);
  left = givesWay ? shortAllowance : allowance;
  givesWay = false;
  if (fresh.length + begun.length > 0) planEnd();
}

function beginUntil(end: number): void {
  while (left > end) {
    const job = fresh.shift();
    if (job === undefined) break;
    doSlice(job, Math.min(firstSlice, left));
  }
}

/** Does the same work in one piece, for those who let nobody wait. */
export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
