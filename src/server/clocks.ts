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

/** A clock that is wrong at the start is usually set within this time. */
const settling = 10 * 60 * 1000;
const week = 7 * 24 * 60 * 60 * 1000;

/**
 * The clock by which rounds are too old, milliseconds since 1970: nothing that is kept for months goes because
 * the wall clock was ahead for a while. A jump forwards is believed only after one or two weeks, and in the
 * first ten minutes nothing is old.
 *
 * @param now the wall clock
 * @param elapsed milliseconds since the start of the process
 */
export function createEarliestClock(now = Date.now, elapsed = () => performance.now()): () => number {
  let began = settling;
  /** By how much the wall clock is ahead of the other one, at least: in this week, and in the one before. */
  let [lowest, before] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return () => {
    const time = elapsed();
    if (time < settling) return 0;
    const ahead = now() - time;
    if (time - began >= week) [began, lowest, before] = [time, ahead, lowest];
    lowest = Math.min(lowest, ahead);
    return Math.floor(time + Math.min(lowest, before));
  };
}
