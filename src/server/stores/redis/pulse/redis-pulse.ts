import { randomBytes } from 'node:crypto';
import { createWorkQueue } from '../../../../kit/work-queue.ts';
import type { Pulse, PulseSaving } from '../../ports.ts';
import { createTally, largestTally, type PulseCount } from '../../pulse-tally.ts';
import type { PulseCounts } from './pulse-counts.ts';

export interface RedisPulseOptions {
  /** Called once when saving begins to fail; the counts stay in memory until the next attempt. */
  readonly onProblem: (problem: Error) => void;
}

/** Counts that are resent unchanged until the store has confirmed them: with the same id they count once. */
interface Batch {
  readonly id: string;
  readonly counts: readonly PulseCount[];
}

/** Most counts in a batch: while adding them the store does nothing else. */
const mostInBatch = 1_000;

/** Counts in memory, and adds the counts to those of a shared store. */
export function createRedisPulse(counts: PulseCounts, { onProblem }: RedisPulseOptions): Pulse {
  let open = createTally();
  let frozen: readonly Batch[] = [];
  const queue = createWorkQueue();
  let isFailing = false;

  const frozenSize = () => frozen.reduce((sum, batch) => sum + batch.counts.length, 0);
  const sendFrozen = async () => {
    for (let [batch] = frozen; batch !== undefined; [batch] = frozen) {
      await counts.add(batch.id, batch.counts);
      frozen = frozen.slice(1);
    }
  };
  const saveAll = async (): Promise<PulseSaving> => {
    if (frozen.length === 0 && open.size() === 0) return 'nothing to save';
    try {
      await sendFrozen();
      frozen = toBatches(open.all());
      open = createTally();
      await sendFrozen();
      isFailing = false;
      return 'saved';
    } catch (error) {
      if (!isFailing) onProblem(error as Error);
      isFailing = true;
      return 'not saved';
    }
  };
  return {
    count(key) {
      const hasRoom = open.size() + frozenSize() < largestTally || open.has(key);
      open.add(hasRoom ? key : { ...key, site: 'other' }, 1);
    },
    save: () => queue.run(saveAll),
    read: (sinceDay) => counts.read(sinceDay),
  };
}

function toBatches(counts: readonly PulseCount[]): Batch[] {
  const count = Math.ceil(counts.length / mostInBatch);
  return Array.from({ length: count }, (_, at) => ({
    id: randomBytes(12).toString('base64url'),
    counts: counts.slice(at * mostInBatch, (at + 1) * mostInBatch),
  }));
}
