import { isUnderWay, type RoundView } from './round-view.ts';

/** Active ms after which a timed round ends; undefined for one that ends with its last word. */
export function timeLimit({ practised: { mode } }: Pick<RoundView, 'practised'>): number | undefined {
  return mode.type === 'time' ? mode.seconds * 1000 : undefined;
}

/**
 * Whether the countdown of a timed round still waits, because a key hit by mistake must not start it. The first right letter of the
 * first word starts it, and so does leaving that word: somebody types, even if nothing of it is right.
 */
function isWaiting(round: RoundView): boolean {
  const { progress, score } = round;
  const isBegun = progress.timerStarted || score.correctKeys > 0 || progress.wordIndex > 0;
  return timeLimit(round) !== undefined && !isBegun;
}

/** Ms without a key after which somebody has gone away. */
const maxThought = 20_000;

/** Whether the round is paused as of its last key because nobody types. In a timed round the time passes all the same. */
export function isIdle(round: RoundView, time: number): boolean {
  const { lastKey } = round;
  return lastKey !== undefined && timeLimit(round) === undefined && time - lastKey >= maxThought;
}

/** Active ms of the round at `time` (monotonic ms); a paused round gets no older, nor does one that waits or is idle. */
export function elapsed(round: RoundView, time: number): number {
  return round.lastKey === undefined || isWaiting(round) || isIdle(round, time)
    ? round.active
    : round.active + Math.max(0, time - round.lastKey);
}

/** Ms between two steps of the pace caret: more often costs time and gains nothing. */
const paceStep = 200;

/**
 * Ms until the screen changes by time alone: another second of a timed round, or its end, a step of the pace, or the pause of a round
 * in which nobody types. Undefined while nothing moves.
 */
export function nextTick(round: RoundView, time: number, hasPace = false): number | undefined {
  if (!isUnderWay(round) || round.isPaused || isWaiting(round)) return undefined;
  const limit = timeLimit(round);
  const active = elapsed(round, time);
  const step = hasPace ? paceStep : limit === undefined ? Number.POSITIVE_INFINITY : 1000;
  const rest = limit === undefined ? thoughtLeft(round, time) : limit - active;
  return rest === undefined ? undefined : Math.max(0, Math.min(step - (active % step), rest));
}

function thoughtLeft({ lastKey }: RoundView, time: number): number | undefined {
  return lastKey === undefined ? undefined : lastKey + maxThought - time;
}

export function isTimeUp(round: RoundView, time: number): boolean {
  const limit = timeLimit(round);
  return limit !== undefined && isUnderWay(round) && elapsed(round, time) >= limit;
}

/** The round as it was when its time was over, even in the middle of a word. */
export function endedByTime(round: RoundView): RoundView {
  return { ...round, active: timeLimit(round) ?? round.active, isOver: true };
}
