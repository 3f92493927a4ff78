/** A moment of a thread, ms: the monotonic clock, and how long the thread has waited for a processor so far. */
export interface ThreadMoment {
  readonly time: number;
  readonly waited: number;
}

/** What a stall is measured by. Immutable. */
export interface StallMemory {
  /** Whether beats are to come: only while somebody types. */
  readonly isAwake: boolean;
  readonly lastKey: number;
  readonly lastBeat: number;
  /** `waited` at the last key or beat. */
  readonly lastWaited: number;
}

/** Ms between two beats. */
export const beatEvery = 20;

/** A timer is punctual within a millisecond or two, and a thread seldom waits longer: only what is beyond is a stall. */
const usualLateness = 2;

/** It begins awake. */
export function newStallMemory({ time, waited }: ThreadMoment): StallMemory {
  return { isAwake: true, lastKey: time, lastBeat: time, lastWaited: waited };
}

/**
 * By how much the thread may have been held up until now, ms. A late beat tells of long stalls everywhere; where the system counts
 * waiting times, they tell of short ones too. At the first key after a rest only those are known.
 */
export function toStall(memory: StallMemory, { time, waited }: ThreadMoment): number {
  const sinceBeat = memory.isAwake ? time - memory.lastBeat - beatEvery : 0;
  const late = Math.max(sinceBeat, waited - memory.lastWaited);
  return late > usualLateness ? late : 0;
}

export function afterKey(memory: StallMemory, { time, waited }: ThreadMoment): StallMemory {
  const lastBeat = memory.isAwake ? memory.lastBeat : time;
  return { isAwake: true, lastKey: time, lastBeat, lastWaited: waited };
}

/** @param patience ms without a key after which it rests */
export function afterBeat(
  { lastKey }: StallMemory,
  { time, waited }: ThreadMoment,
  patience: number,
): StallMemory {
  return { isAwake: time - lastKey <= patience, lastKey, lastBeat: time, lastWaited: waited };
}
