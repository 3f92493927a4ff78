/** Runs one job after another in the order of the calls, whether or not the one before succeeded. */
export interface WorkQueue {
  /** Settles like `work`, which begins when everything before it has ended. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all jobs so far have ended. */
  settle(): Promise<void>;
}

export function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
    async settle() {
      await last;
    },
  };
}
