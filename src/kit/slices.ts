import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that may pause at each yield, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work in one go: a fifth of what a user notices, so that even two such jobs at once cause no stall. */
const longestSlice = 8;

/** Does long work in slices; requests that arrive in the meantime are handled between two of them. */
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

/** Does the same work in one piece, for those who let nobody wait. */
export function allAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
