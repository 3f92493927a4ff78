import type { Arrivals } from './arrivals.ts';
import type { Connection } from './connection.ts';
import { createFairQueue } from './fair-queue.ts';
import type { LoopShare } from './loop-share.ts';
import { resumeReading, stopReading } from './reading.ts';

/** Work that may come in one turn of the event loop, about 10 milliseconds of it. */
const mostWork = 4_096;
/** Work of a request, of an answer to bytes that are not a request, and of a connection that unexpectedly brings much at once. */
export const workOf = { request: 8, broken: 32, surprise: mostWork / 2 } as const;
/** Connections that are read again in one turn, at first. */
const firstBatch = 16;

/**
 * Connections that are not known to bring much at once. One poll of the event loop may find bytes on thousands of them, and
 * parses up to 64 KiB of each before anything else happens. So once a turn has brought enough work, or enough requests wait to be handled, nothing more is read in it, and
 * the rest follows in batches: smaller ones as long as they bring too much, and larger ones when they do not.
 */
export interface Crowd {
  join(connection: Connection): void;
  /** Notes that one of them has brought work. */
  note(work: number): void;
  /** Returns whether the connection was one of them. */
  leave(connection: Connection): boolean;
}

export function createCrowd(arrivals: Arrivals, share: Pick<LoopShare, 'isFull'>): Crowd {
  const read = new Set<Connection>();
  const resting = createFairQueue();
  let work = 0;
  let batch = firstBatch;
  let isResuming = false;

  function endTurn(): void {
    if (isResuming && work >= mostWork) batch = Math.max(1, Math.floor(batch / 2));
    // A turn in which nothing could be read says nothing about how much they bring.
    else if (isResuming && !share.isFull()) batch *= 2;
    work = 0;
  }

  function rest(): void {
    for (const connection of read) {
      stopReading(connection, 'rest');
      resting.add(connection);
    }
    read.clear();
    if (isResuming || resting.size === 0) return;
    isResuming = true;
    batch = firstBatch;
    arrivals.whenOver(resume);
  }

  function resume(): void {
    for (let left = share.isFull() ? 0 : batch; left > 0; left -= 1) {
      const connection = resting.take();
      if (connection === undefined) break;
      read.add(connection);
      resumeReading(connection, 'rest');
    }
    isResuming = resting.size > 0;
    // Even a turn without any work ends, and the next batch is larger.
    if (isResuming) note(1);
    if (isResuming) arrivals.whenOver(resume);
  }

  function note(more: number): void {
    if (work === 0) setImmediate(endTurn);
    work += more;
    if (work >= mostWork || share.isFull()) rest();
  }

  return {
    join: (connection) => void read.add(connection),
    note,
    leave(connection) {
      const isResting = resting.delete(connection);
      if (isResting) resumeReading(connection, 'rest');
      return read.delete(connection) || isResting;
    },
  };
}
