/**
 * The clock of the stores, milliseconds since 1970. It does not jump when the wall clock is set, because then
 * sessions would end early or live forever.
 */
export function steadyClock(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

/**
 * Later if the clock was wrong at the start, or the machine has slept since: for other processes, what is
 * used now must not have expired.
 */
export function latestClock(): number {
  return Math.max(steadyClock(), Date.now());
}

const week = 7 * 24 * 60 * 60 * 1000;

/**
 * The wall clock, but a jump forwards is believed only after one or two weeks: nothing that is kept for months
 * goes because the clock was ahead for a while.
 *
 * @param now the wall clock, milliseconds since 1970
 * @param elapsed milliseconds of a clock that never jumps
 */
export function createEarliestClock(now = Date.now, elapsed = () => performance.now()): () => number {
  let began = elapsed();
  /** By how much the wall clock is ahead of the other one, at least: in this week, and in the one before. */
  let [lowest, before] = [now() - began, Number.POSITIVE_INFINITY];
  return () => {
    const time = elapsed();
    const ahead = now() - time;
    if (time - began >= week) [began, lowest, before] = [time, ahead, lowest];
    lowest = Math.min(lowest, ahead);
    return Math.floor(time + Math.min(lowest, before));
  };
}
