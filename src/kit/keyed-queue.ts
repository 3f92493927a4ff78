/** Runs the jobs of each key one after the other, in the order of the calls, whether or not the one before succeeded. */
export interface KeyedQueue {
  /** Settles like `work`, which begins once all earlier jobs of this key have ended, and never synchronously. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Keys with jobs that have not ended. */
  count(): number;
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const done = (last.get(key) ?? Promise.resolve()).then(work);
      const end = done.then(ignore, ignore).then(() => {
        if (last.get(key) === end) last.delete(key);
      });
      last.set(key, end);
      return done;
    },
    count: () => last.size,
  };
}

const ignore = () => undefined;
