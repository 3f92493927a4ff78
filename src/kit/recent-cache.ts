/** Values that were put or read lately: together of at most the size `max`, and half of that for certain. */
export interface Recent<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
  values(): T[];
}

export interface RecentOptions<T> {
  /** Of a value when it is put. Default: 1. */
  readonly sizeOf?: (value: T) => number;
  /** Called for each value that goes for want of room. */
  readonly onDrop?: (value: T) => void;
}

interface Sized<T> {
  readonly value: T;
  readonly size: number;
}

/**
 * Two maps instead of an order: when the young one is full it becomes the old one, and what was not used
 * since the last time goes.
 */
export function createRecentCache<T>(
  max: number,
  { sizeOf = () => 1, onDrop }: RecentOptions<T> = {},
): Recent<T> {
  let young = new Map<string, Sized<T>>();
  let old = new Map<string, Sized<T>>();
  /** Of all in the young one. */
  let size = 0;
  const remove = (key: string) => {
    size -= young.get(key)?.size ?? 0;
    young.delete(key);
  };
  const put = (key: string, value: T) => {
    remove(key);
    const sized = { value, size: sizeOf(value) };
    size += sized.size;
    young.set(key, sized);
    if (size < max / 2) return;
    const unused = old;
    old = young;
    young = new Map();
    size = 0;
    for (const [each, dropped] of unused) if (!old.has(each)) onDrop?.(dropped.value);
  };
  return {
    get(key) {
      const recent = young.get(key);
      if (recent !== undefined) return recent.value;
      const older = old.get(key);
      if (older !== undefined) put(key, older.value);
      return older?.value;
    },
    put,
    delete(key) {
      remove(key);
      old.delete(key);
    },
    values: () => [...new Map([...old, ...young]).values()].map(({ value }) => value),
  };
}
