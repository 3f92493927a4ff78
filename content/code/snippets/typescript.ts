// --- result
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

export function map<T, U>(
  result: Result<T>,
  change: (value: T) => U,
): Result<U> {
  return result.ok ? { ok: true, value: change(result.value) } : result;
}
// --- shapes
type Shape =
  | { kind: 'circle'; radius: number }
  | { kind: 'rectangle'; width: number; height: number };

export function area(shape: Shape): number {
  switch (shape.kind) {
    case 'circle':
      return Math.PI * shape.radius ** 2;
    case 'rectangle':
      return shape.width * shape.height;
  }
}
// --- pick
export function pick<T extends object, K extends keyof T>(
  source: T,
  ...keys: readonly K[]
): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const key of keys) picked[key] = source[key];
  return picked;
}
// --- guard
interface User {
  readonly name: string;
  readonly age: number;
}

export function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  return 'name' in value && typeof value.name === 'string' && 'age' in value;
}
// --- group
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string) {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
// --- limiter
export class Limiter {
  private tokens: number;

  constructor(private readonly burst: number) {
    this.tokens = burst;
  }

  take(): boolean {
    if (this.tokens === 0) return false;
    this.tokens -= 1;
    return true;
  }
}
// --- clamp
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

export function percent(part: number, whole: number): string {
  if (whole === 0) return '0 %';
  return `${Math.round(clamp(part / whole, 0, 1) * 100)} %`;
}
// --- events
type Listener<T> = (event: T) => void;

export function createEvents<T>() {
  const listeners = new Set<Listener<T>>();
  return {
    emit: (event: T) => listeners.forEach((listener) => listener(event)),
    listen(listener: Listener<T>) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
// --- reducer
interface State {
  readonly count: number;
}

type Action = { type: 'add'; amount: number } | { type: 'reset' };

export function reduce(state: State, action: Action): State {
  if (action.type === 'reset') return { count: 0 };
  return { ...state, count: state.count + action.amount };
}
// --- config
export interface Config {
  readonly host: string;
  readonly port: number;
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const port = Number(env['PORT'] ?? 8080);
  if (!Number.isInteger(port)) throw new Error(`PORT is ${env['PORT']}`);
  return { host: env['HOST'] ?? 'localhost', port };
}
// --- median
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}
// --- pool
export async function pool<T>(
  jobs: readonly (() => Promise<T>)[],
  width: number,
): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...jobs.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
