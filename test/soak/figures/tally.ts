/** Latencies of one kind of request, in milliseconds. */
export interface KindFigures {
  readonly kind: string;
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface TallyReport {
  readonly kinds: KindFigures[];
  /** What was not owed, each with how often it happened. */
  readonly faults: [string, number][];
}

/** Buckets grow by this factor, so that every figure is right to 2 %, whatever the number of requests. */
const bucketGrowth = 1.02;
const smallest = 0.01;
const maxFaultKinds = 200;

export type Tally = ReturnType<typeof createTally>;

/** Counts requests by kind and remembers, in memory that does not grow, how long they took and what went wrong. */
export function createTally(onNewFault: (what: string) => void = () => undefined) {
  const kinds = new Map<string, { count: number; longest: number; buckets: number[] }>();
  const faults = new Map<string, number>();
  let requests = 0;

  return {
    record(kind: string, ms: number): void {
      const entry = kinds.get(kind) ?? { count: 0, longest: 0, buckets: [] };
      kinds.set(kind, entry);
      const bucket = Math.max(0, Math.round(Math.log(ms / smallest) / Math.log(bucketGrowth)));
      entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + 1;
      entry.count++;
      entry.longest = Math.max(entry.longest, ms);
      requests++;
    },
    /** Counts something that was not owed. */
    fault(what: string): void {
      if (!faults.has(what)) onNewFault(what);
      if (faults.has(what) || faults.size < maxFaultKinds) faults.set(what, (faults.get(what) ?? 0) + 1);
      else faults.set('others', (faults.get('others') ?? 0) + 1);
    },
    requests: () => requests,
    faultCount: () => [...faults.values()].reduce((sum, count) => sum + count, 0),
    report: (): TallyReport => ({
      kinds: [...kinds].map(([kind, { count, longest, buckets }]) => ({
        kind,
        count,
        p50: quantile(buckets, count, 0.5),
        p99: quantile(buckets, count, 0.99),
        longest,
      })),
      faults: [...faults],
    }),
  };
}

function quantile(buckets: readonly number[], count: number, share: number): number {
  let seen = 0;
  for (const [bucket, size = 0] of buckets.entries()) {
    seen += size;
    if (seen >= count * share) return smallest * bucketGrowth ** bucket;
  }
  return 0;
}
