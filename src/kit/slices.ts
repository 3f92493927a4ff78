import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that may pause wherever it yields; it returns what came of it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work in one go: a fifth of what a reader notices, so that two such works at once are no stall either. */
const longestSlice = 8;

/** Does long work in slices: requests that come meanwhile have a turn between any two. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let start = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - start < longestSlice) continue;
    await nextTurn();
    start = performance.now();
  }
}
