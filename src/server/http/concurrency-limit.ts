import { HttpError } from './errors.ts';

export interface ConcurrencyLimits {
  /** Maximum number of requests under way of each owner. */
  readonly each: number;
  /** Of all owners; default: no maximum. */
  readonly total?: number;
}

/** Bounds how many requests of an owner are under way. Returns a function that rejects with a 429 beyond that. */
export function createConcurrencyLimit({ each, total = Number.POSITIVE_INFINITY }: ConcurrencyLimits) {
  const counts = new Map<string, number>();
  let all = 0;
  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    const others = counts.get(owner) ?? 0;
    if (all >= total || others >= each) throw tooManyUnderWay;
    all += 1;
    counts.set(owner, others + 1);
    try {
      return await work();
    } finally {
      all -= 1;
      const left = (counts.get(owner) as number) - 1;
      if (left > 0) counts.set(owner, left);
      else counts.delete(owner);
    }
  };
}

const tooManyUnderWay = new HttpError(
  'RATE_LIMITED',
  'Too many of your requests are under way: send this one again later.',
  ['Retry-After', '1'],
);
