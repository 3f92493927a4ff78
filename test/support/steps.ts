import type { Steps } from '../../src/kit/slices.ts';

/** The result of work in steps, without a pause. */
export function resultOf<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
