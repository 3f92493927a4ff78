import { readdir, readFile, readlink } from 'node:fs/promises';
import type { HeapSample } from '../server-process.ts';

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
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => undefined)),
  );
  const open = targets.filter((target) => target !== undefined);
  const sockets = open.filter((target) => target.startsWith('socket:')).length;
  return {
    memory: number('VmRSS') / 1024,
    threads: number('Threads'),
    sockets,
    files: open.length - sockets,
  };
}

/** Samples a process every two seconds until told to stop. */
export function watchProcess(pid: number): { readonly samples: readonly ProcessSample[]; stop(): void } {
  const samples: ProcessSample[] = [];
  const timer = setInterval(async () => {
    const sample = await readSample(pid).catch(() => undefined);
    if (sample !== undefined) samples.push(sample);
  }, 2000);
  return { samples, stop: () => clearInterval(timer) };
}

/** What was there after warm-up and at the end, and what may be more (MB or how many). */
export interface Growth {
  readonly what: string;
  readonly from: number;
  readonly to: number;
  readonly bound: number;
}

/** Without work and without connections, before and after the load. */
export interface QuietPoints {
  readonly before: ProcessSample;
  readonly after: ProcessSample;
}

/**
 * Under load, medians of the first and the last fifth: a single reading is off by what was just collected. The bounds allow for
 * the allocator's noise, the ids of rounds, clients, announcements.
 */
export function measureGrowth(
  { before, after }: QuietPoints,
  samples: readonly ProcessSample[],
  heap: readonly HeapSample[],
): Growth[] {
  const ends = (list: readonly number[]) => {
    const fifth = Math.ceil(list.length / 5);
    return { from: median(list.slice(0, fifth)), to: median(list.slice(-fifth)) };
  };
  return [
    { what: 'memory under load, MB', ...ends(samples.map(({ memory }) => memory)), bound: 60 },
    {
      what: 'heap after full collections, MB',
      ...ends(heap.map(({ megabytes }) => megabytes)),
      bound: 16,
    },
    // The files of the 1,000 records that were used last stay open.
    { what: 'open files but sockets', from: 0, to: after.files, bound: 1_100 },
    { what: 'sockets', from: before.sockets, to: after.sockets, bound: 3 },
    { what: 'threads', from: before.threads, to: after.threads, bound: 2 },
  ];
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}
