export interface RecentOptions<T> {
  /** Size of a value when it is put. Default: 1. */
  readonly sizeOf?: (value: T) => number;
  /** Called for each value that is dropped to make room. */
  readonly onDrop?: (value: T) => void;
}

interface Sized<T> {
  value: T;
  size: number;
}

/**
 * Values put or read recently, of total size at most `max`; the latest half of that is always kept.
 *
 * Two maps instead of an order of use: when the young one is half full, it becomes the old one, and what was
 * not used since the last time is dropped.
 */
export function createRecentCache<T>(max: number, { sizeOf = () => 1, onDrop }: RecentOptions<T> = {}) {
  let young = new Map<string, Sized<T>>();
  let old = new Map<string, Sized<T>>();
  /** Size of all values in the young one. */
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
    if (onDrop === undefined) return;
    for (const [each, dropped] of unused) if (!old.has(each)) onDrop(dropped.value);
  };
  return {
    get(key: string): T | undefined {
      const recent = young.get(key);
      if (recent !== undefined) return recent.value;
      const older = old.get(key);
      if (older !== undefined) put(key, older.value);
      return older?.value;
    },
    put,
    delete(key: string): void {
      total -= young.get(key)?.size ?? 0;
      young.delete(key);
      old.delete(key);
    },
    values: () => [...new Map([...old, ...young]).values()].map(({ value }) => value),
  };
}
