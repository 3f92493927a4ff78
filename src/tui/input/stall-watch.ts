/** Notices when this thread was kept from running, so that the times it takes are not believed blindly. */
export interface StallWatch {
  /** The time now (monotonic ms), and by how much this thread may have been late to notice what just happened. */
  stamp(): { time: number; stall: number };
  stop(): void;
}

const beatEvery = 20;

/** A timer is punctual within a millisecond or two; only what is beyond is a stall. */
const usualLateness = 3;

/** How long a stall explains what is noticed after it, ms. */
const aftermath = 1;

/** @param onStall is told every stall that nobody typed in, ms */
export function createStallWatch(onStall: (stall: number) => void): StallWatch {
  let lastBeat = readClock();
  let lastStall = 0;
  let stallEnd = Number.NEGATIVE_INFINITY;
  const timer = setInterval(beat, beatEvery);
  timer.unref();

  return {
    stamp() {
      const time = readClock();
      const overdue = toStall(time);
      return { time, stall: time - stallEnd <= aftermath ? Math.max(overdue, lastStall) : overdue };
    },
    stop: () => clearInterval(timer),
  };

  function beat(): void {
    const now = readClock();
    lastStall = toStall(now);
    lastBeat = now;
    if (lastStall === 0) return;
    stallEnd = now;
    onStall(lastStall);
  }

  function toStall(now: number): number {
    const late = now - lastBeat - beatEvery;
    return late > usualLateness ? late : 0;
  }
}

/** Milliseconds on the clock that all threads and programs of this machine share and nobody can set. */
export function readClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
