/** Values that were put or read lately: at most `max` of them, and half of that for certain. */
export interface Recent<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
  values(): T[];
}

/**
 * Two maps instead of an order: when the young one is full it becomes the old one, and what was not used
 * since the last time goes.
 *
 * @param onDrop called for each value that goes for want of room
 */
export function createRecent<T>(max: number, onDrop?: (value: T) => void): Recent<T> {
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
