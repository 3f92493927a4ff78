/** A cache of the values used last: at least half of `max` of them, and at most `max`. */
export interface RecentCache<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
  values(): T[];
}

/**
 * Two maps instead of a list in order of use: when the young one is full it becomes the old one, and values
 * not used since the previous swap are evicted.
 *
 * @param onDrop called for each evicted value
 */
export function createRecentCache<T>(max: number, onDrop?: (value: T) => void): RecentCache<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  const put = (key: string, value: T) => {
    young.set(key, value);
    if (young.size < max / 2) return;
    const unused = old;
    old = young;
    young = new Map();
    for (const [each, dropped] of unused) if (!old.has(each)) onDrop?.(dropped);
  };
  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) put(key, older);
      return older;
    },
    put,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    values: () => [...new Map([...old, ...young]).values()],
  };
}
