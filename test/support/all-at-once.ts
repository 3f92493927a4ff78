/** Runs all steps of some work without a pause. */
export function allAtOnce<T>(steps: Generator<undefined, T, undefined>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
