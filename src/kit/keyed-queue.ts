/**
 * Runs the jobs of each key one after the other, in the order of the calls, whether or not the one before
 * succeeded.
 */
export function createKeyedQueue() {
  const last = new Map<string, Promise<unknown>>();
  return {
    /**
     * Settles like `work`, which begins once all earlier jobs of this key have ended: at once if there are
     * none, and then without a promise if it needs none.
     */
    run<Result>(key: string, work: () => Result): Result | Promise<Awaited<Result>> {
      const before = last.get(key);
      const done = before === undefined ? work() : (before.then(work, work) as Promise<Awaited<Result>>);
      if (!(done instanceof Promise)) return done;
      last.set(key, done);
      const forget = () => {
        if (last.get(key) === done) last.delete(key);
      };
      done.then(forget, forget);
      return done;
    },
  };
}
