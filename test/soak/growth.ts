import { type ProcessSample, slopePerHour } from './process-samples.ts';
import type { HeapSample } from './server-process.ts';

/** A process without work, all connections closed, before and after the load. */
export interface QuietPoints {
  readonly before: ProcessSample;
  readonly after: ProcessSample;
}

export interface Growth {
  readonly memoryPerHour: number;
  readonly heapPerHour: number;
  readonly meanSockets: readonly [number, number];
  readonly heap: readonly [number, number];
}

/** What may be more at the end than after warm-up: noise of the allocator, and the ids of the rounds played (MB). */
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
    heap: [median(heap.slice(0, 5)), median(heap.slice(-5))],
  };
}

function median(list: readonly HeapSample[]): number {
  const sorted = list.map(({ megabytes }) => megabytes).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Every bound that was broken, as a sentence. */
export function growthBeyondBounds({ before, after }: QuietPoints, { heap }: Growth): string[] {
  const grown = {
    memory: after.memory - before.memory,
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
