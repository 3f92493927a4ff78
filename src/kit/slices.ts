import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that may pause at each yield, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Length of a slice in milliseconds; waiting requests are handled between two slices. */
const sliceLength = 1;

/** Does long work in slices. The first one is done at once, so that short work is not delayed. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + sliceLength;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}
