/** Does one thing after another, in the order asked for, whether or not the one before succeeded. */
export interface WorkQueue {
  /** Settles as the work does, once everything before it is over. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when everything asked for so far is over. */
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
