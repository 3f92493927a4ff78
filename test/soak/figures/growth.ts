import type { HeapSample } from '../server-process.ts';
import { type ProcessSample, slopePerHour } from './process-samples.ts';

/** A process without work, all connections closed, before and after the load. */
export interface QuietPoints {
  readonly before: ProcessSample;
  readonly after: ProcessSample;
}

export interface Growth {
  readonly memoryPerHour: number;
  readonly heapPerHour: number;
  readonly meanSockets: readonly [number, number];
  /** Resident under load: medians of the first and the last fifth. A single reading is off by what was just collected. */
  readonly memory: readonly [number, number];
  readonly heap: readonly [number, number];
}

/** What may be more at the end than after warm-up (MB): the allocator's noise, the ids of rounds, clients, announcements. */
const bounds = { memory: 60, heap: 16, files: 3, sockets: 3, threads: 2 } as const;

export function measureGrowth(samples: readonly ProcessSample[], heap: readonly HeapSample[]): Growth {
  const half = (list: readonly { readonly at: number }[]) => {
    const middle = ((list[0]?.at ?? 0) + (list.at(-1)?.at ?? 0)) / 2;
    return (point: { readonly at: number }) => point.at >= middle;
  };
  const late = samples.filter(half(samples));
  const early = samples.slice(0, samples.length - late.length);
  const lateHeap = heap.filter(half(heap));
  const mean = (list: readonly ProcessSample[]) =>
    list.reduce((sum, { sockets }) => sum + sockets, 0) / Math.max(1, list.length);
  return {
    memoryPerHour: slopePerHour(late.map(({ at, memory }) => ({ at, y: memory }))),
    heapPerHour: slopePerHour(lateHeap.map(({ at, megabytes }) => ({ at, y: megabytes }))),
    meanSockets: [mean(early), mean(late)],
    memory: firstAndLast(
      samples.map(({ memory }) => memory),
      Math.ceil(samples.length / 5),
    ),
    heap: firstAndLast(
      heap.map(({ megabytes }) => megabytes),
      5,
    ),
  };
}

function firstAndLast(list: readonly number[], count: number): [number, number] {
  return [median(list.slice(0, count)), median(list.slice(-count))];
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

/** Every bound that was broken, as a sentence. */
export function growthBeyondBounds({ before, after }: QuietPoints, { memory, heap }: Growth): string[] {
  const grown = {
    memory: memory[1] - memory[0],
    heap: heap[1] - heap[0],
    files: after.files - before.files,
    sockets: after.sockets - before.sockets,
    threads: after.threads - before.threads,
  };
  return Object.entries(bounds)
    .filter(([name, bound]) => grown[name as keyof typeof grown] > bound)
    .map(
      ([name, bound]) =>
        `${name} grew by ${grown[name as keyof typeof grown].toFixed(1)}, more than ${bound}`,
    );
}

export const growthBounds = bounds;
