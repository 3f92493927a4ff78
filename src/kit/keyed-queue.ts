/**
 * Runs the jobs of each key one after the other, in the order of the calls, whether or not the one before
 * succeeded.
 */
export interface KeyedQueue {
  /**
   * Settles like `work`, which begins once all earlier jobs of this key have ended: at once if there are
   * none.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Keys with jobs that have not ended. */
  count(): number;
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const done = last.get(key)?.then(work, work) ?? work();
      last.set(key, done);
      const forget = () => {
        if (last.get(key) === done) last.delete(key);
      };
      done.then(forget, forget);
      return done;
    },
    count: () => last.size,
  };
}
