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
  value: T;
  size: number;
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
  let total = 0;
  const put = (key: string, value: T) => {
    const size = sizeOf(value);
    const known = young.get(key);
    total += size - (known?.size ?? 0);
    if (known === undefined) young.set(key, { value, size });
    else {
      known.value = value;
      known.size = size;
    }
    if (total < max / 2) return;
    const unused = old;
    old = young;
    young = new Map();
    total = 0;
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
      total -= young.get(key)?.size ?? 0;
      young.delete(key);
      old.delete(key);
    },
    values: () => [...new Map([...old, ...young]).values()].map(({ value }) => value),
  };
}
