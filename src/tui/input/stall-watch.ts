import { openProcessorWait, type ProcessorWait } from './processor-wait.ts';

/** Notices when this thread was kept from running, so that the times it takes are not believed blindly. */
export interface StallWatch {
  /** The time now (monotonic ms), and by how much this thread may have been late to notice what just happened. */
  stamp(): { time: number; stall: number };
  stop(): void;
}

const beatEvery = 20;

/** A timer is punctual within a millisecond or two, and a thread seldom waits longer: only what is beyond is a stall. */
const usualLateness = 2;

/** @param onStall is told every stall that nobody typed in, ms */
export function createStallWatch(onStall: (stall: number) => void): StallWatch {
  const wait: ProcessorWait = openProcessorWait();
  let lastBeat = readClock();
  let lastWait = wait.read();
  const timer = setInterval(beat, beatEvery);
  timer.unref();

  return {
    stamp() {
      const time = readClock();
      return { time, stall: toStall(time) };
    },
    stop() {
      clearInterval(timer);
      wait.close();
    },
  };

  function beat(): void {
    const now = readClock();
    const stall = toStall(now);
    lastBeat = now;
    if (stall > 0) onStall(stall);
  }

  /** A late beat tells of long stalls everywhere; where the system counts waiting times, they tell of short ones too. */
  function toStall(now: number): number {
    const waited = wait.read();
    const late = Math.max(now - lastBeat - beatEvery, waited - lastWait);
    lastWait = waited;
    return late > usualLateness ? late : 0;
  }
}

/** Milliseconds on the clock that all threads and programs of this machine share and nobody can set. */
export function readClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
