import { openProcessorWait, type ProcessorWait } from './processor-wait.ts';
import {
  afterBeat,
  afterKey,
  beatEvery,
  newStallMemory,
  type StallMemory,
  type ThreadMoment,
  toStall,
} from './stall-memory.ts';

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

/** It begins awake. */
export function createStallWatch({ onStall, patience = 2000 }: StallWatchOptions): StallWatch {
  const wait: ProcessorWait = openProcessorWait();
  let timer: NodeJS.Timeout | undefined;
  let memory = newStallMemory(toMoment());
  remember(memory);

  return {
    stamp() {
      const moment = toMoment();
      const stall = toStall(memory, moment);
      remember(afterKey(memory, moment));
      return { time: moment.time, stall };
    },
    get isAwake() {
      return memory.isAwake;
    },
    stop() {
      remember({ ...memory, isAwake: false });
      wait.close();
    },
  };

  function toMoment(): ThreadMoment {
    return { time: readClock(), waited: wait.read() };
  }

  function beat(): void {
    const moment = toMoment();
    const stall = toStall(memory, moment);
    remember(afterBeat(memory, moment, patience));
    if (stall > 0) onStall(stall);
  }

  function remember(next: StallMemory): void {
    memory = next;
    if (next.isAwake) timer ??= setInterval(beat, beatEvery).unref();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

/** Milliseconds on the clock that all threads and programs of this machine share and nobody can set. */
export function readClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
