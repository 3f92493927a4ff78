import {
  elapsed,
  idleAfter,
  isCountdownWaiting,
  isUnderWay,
  type RoundView,
  timeLimit,
} from './round-view.ts';

/** Ms between two steps of the pace caret: more often costs time and gains nothing. */
const paceStep = 200;

/**
 * Ms until the screen changes by time alone: another second of a timed round, or its end, a step of the pace,
 * or the pause of a round in which nobody types. Undefined while nothing moves.
 */
export function nextTick(round: RoundView, time: number, hasPace = false): number | undefined {
  if (!isUnderWay(round) || round.isPaused || isCountdownWaiting(round)) return undefined;
  const limit = timeLimit(round);
  const active = elapsed(round, time);
  const step = hasPace ? paceStep : limit === undefined ? Number.POSITIVE_INFINITY : 1000;
  const rest = limit === undefined ? timeUntilIdle(round, time) : limit - active;
  return rest === undefined ? undefined : Math.max(0, Math.min(step - (active % step), rest));
}

function timeUntilIdle({ lastKey }: RoundView, time: number): number | undefined {
  return lastKey === undefined ? undefined : lastKey + idleAfter - time;
}

export function isTimeUp(round: RoundView, time: number): boolean {
  const limit = timeLimit(round);
  return limit !== undefined && isUnderWay(round) && elapsed(round, time) >= limit;
}

/** The round as it was when its time was over, even in the middle of a word. */
export function endedByTime(round: RoundView): RoundView {
  return { ...round, active: timeLimit(round) ?? round.active, isOver: true };
}
