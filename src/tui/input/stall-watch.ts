import { openProcessorWait, type ProcessorWait } from './processor-wait.ts';

/** Notices when this thread was kept from running, so that the times it takes are not believed blindly. */
export interface StallWatch {
  /** The time now (monotonic ms), and by how much this thread may have been late to notice what just happened. */
  stamp(): { time: number; stall: number };
  /** Whether it runs a timer at the moment: only while somebody types. */
  readonly isAwake: boolean;
  stop(): void;
}

export interface StallWatchOptions {
  /** Called with every stall that nobody typed in, ms. */
  readonly onStall: (stall: number) => void;
  /** Ms without a key after which it rests. Default: 2000. */
  readonly patience?: number;
}

const beatEvery = 20;

/** A timer is punctual within a millisecond or two, and a thread seldom waits longer: only what is beyond is a stall. */
const usualLateness = 2;

/** It begins awake. At the first key after a rest only what the system counts as waiting is known. */
export function createStallWatch({ onStall, patience = 2000 }: StallWatchOptions): StallWatch {
  const wait: ProcessorWait = openProcessorWait();
  let timer: NodeJS.Timeout | undefined;
  let lastKey = 0;
  let lastBeat = 0;
  let lastWait = wait.read();
  wakeUp(readClock());

  return {
    stamp() {
      const time = readClock();
      const stall = toStall(time);
      wakeUp(time);
      return { time, stall };
    },
    get isAwake() {
      return timer !== undefined;
    },
    stop() {
      rest();
      wait.close();
    },
  };

  function wakeUp(now: number): void {
    lastKey = now;
    if (timer !== undefined) return;
    lastBeat = now;
    timer = setInterval(beat, beatEvery);
    timer.unref();
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
  }

  function beat(): void {
    const now = readClock();
    const stall = toStall(now);
    lastBeat = now;
    if (stall > 0) onStall(stall);
    if (now - lastKey > patience) rest();
  }

  /** A late beat tells of long stalls everywhere; where the system counts waiting times, they tell of short ones too. */
  function toStall(now: number): number {
    const waited = wait.read();
    const sinceBeat = timer === undefined ? 0 : now - lastBeat - beatEvery;
    const late = Math.max(sinceBeat, waited - lastWait);
    lastWait = waited;
    return late > usualLateness ? late : 0;
  }
}

/** Milliseconds on the clock that all threads and programs of this machine share and nobody can set. */
export function readClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
