import { readdir, readFile, readlink } from 'node:fs/promises';
import { toTable } from '../support/report-table.ts';

/** Buckets grow by this factor, so that every figure is right to 2 %, whatever the number of requests. */
const bucketGrowth = 1.02;
/** Milliseconds. */
const smallest = 0.01;
const maxFaultKinds = 200;

export type Tally = ReturnType<typeof createTally>;

/** Counts requests by kind and remembers, in memory that does not grow, how long they took and what went wrong. */
export function createTally() {
  const kinds = new Map<string, { count: number; longest: number; buckets: number[] }>();
  const faults = new Map<string, number>();
  let requests = 0;

  return {
    record(kind: string, ms: number): void {
      const entry = kinds.get(kind) ?? { count: 0, longest: 0, buckets: [] };
      kinds.set(kind, entry);
      const bucket = Math.max(0, Math.round(Math.log(ms / smallest) / Math.log(bucketGrowth)));
      entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + 1;
      entry.count += 1;
      entry.longest = Math.max(entry.longest, ms);
      requests += 1;
    },
    /** Counts something that was not owed. */
    fault(what: string): void {
      const kind = faults.has(what) || faults.size < maxFaultKinds ? what : 'others';
      if (!faults.has(kind)) say(`not owed: ${kind}`);
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
    },
    requests: () => requests,
    faultCount: () => [...faults.values()].reduce((sum, count) => sum + count, 0),
    /** Requests by kind, and what was not owed. Markdown. */
    text(): string {
      const rows = [...kinds]
        .toSorted(([, one], [, other]) => other.count - one.count)
        .map(([kind, { count, longest, buckets }]) => [
          ...[kind, String(count), quantile(buckets, count, 0.5), quantile(buckets, count, 0.99)],
          longest.toFixed(1),
        ]);
      const list = [...faults].map(([what, count]) => `- ${count} × ${what}`);
      const table = toTable(['kind', 'times', 'p50 ms', 'p99 ms', 'longest ms'], rows);
      return [table, [`Errors not owed: ${this.faultCount()}.`, ...list].join('\n')].join('\n\n');
    },
  };
}

function quantile(buckets: readonly number[], count: number, share: number): string {
  let seen = 0;
  const found = buckets.findIndex((size = 0) => {
    seen += size;
    return seen >= count * share;
  });
  return (smallest * bucketGrowth ** found).toFixed(1);
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What the system says of a process (proc(5)). */
export interface ProcessSample {
  /** Resident memory in MB (2^20 bytes). */
  readonly memory: number;
  readonly threads: number;
  readonly sockets: number;
  /** Open files that are no sockets: files, folders, pipes, events. */
  readonly files: number;
}

export async function readSample(pid: number): Promise<ProcessSample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  const open = targets.filter((target) => target !== '');
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return {
    ...{ memory: number('VmRSS') / 1024, threads: number('Threads') },
    ...{ sockets, files: open.length - sockets },
  };
}

/** What was there after warm-up and at the end, and what may be more (MB or how many). */
export interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly bound: number;
}

/**
 * Without work and without connections, before and after the load; and under load, medians of the first and the last fifth: a
 * single reading is off by what was just collected. The bounds allow for the allocator's noise, the ids of rounds, clients,
 * announcements.
 *
 * @param heap MB after full collections of garbage
 */
export function measureGrowth(
  [before, after]: readonly [ProcessSample, ProcessSample],
  memory: readonly number[],
  heap: readonly number[],
): Growth[] {
  const ends = (list: readonly number[]) => {
    const fifth = Math.ceil(list.length / 5);
    return { from: median(list.slice(0, fifth)), to: median(list.slice(-fifth)) };
  };
  return [
    { what: 'memory under load, MB', ...ends(memory), bound: 60 },
    { what: 'heap after full collections, MB', ...ends(heap), bound: 16 },
    // The files of the 1,000 records that were used last stay open.
    { what: 'open files but sockets', from: 0, to: after.files, bound: 1_100 },
    { what: 'sockets', from: before.sockets, to: after.sockets, bound: 3 },
    { what: 'threads', from: before.threads, to: after.threads, bound: 2 },
  ];
}

export function hasGrown({ from, to, bound }: Growth): boolean {
  return to - from > bound;
}

export function growthText(growth: readonly Growth[]): string {
  return toTable(
    ['the server', 'after warm-up', 'at the end', 'may grow by', ''],
    growth.map((each) => [
      ...[each.what, each.from.toFixed(1), each.to.toFixed(1), String(each.bound)],
      hasGrown(each) ? 'grew more' : '',
    ]),
  );
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}
