/** The latest values that were put or read, at most `max` of them. */
export interface Recent<T> {
  get(key: string): T | undefined;
  put(key: string, value: T): void;
  delete(key: string): void;
}

export function createRecent<T>(max: number): Recent<T> {
  const values = new Map<string, T>();
  const put = (key: string, value: T) => {
    values.delete(key);
    values.set(key, value);
    if (values.size > max) values.delete(values.keys().next().value as string);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    put,
    delete: (key) => void values.delete(key),
  };
}
