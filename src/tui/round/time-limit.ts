import { isUnderWay, type LocalRound } from './round.ts';

/** Active ms after which a timed round ends; undefined for one that ends with its last word. */
export function toTimeLimit({ practised: { mode } }: Pick<LocalRound, 'practised'>): number | undefined {
  return mode.type === 'time' ? mode.seconds * 1000 : undefined;
}

/**
 * Whether the countdown of a timed round still waits: a key hit by mistake must not start it. Its first right letter does,
 * wherever in the first word, and leaving that word: somebody types, even if nothing of it is right.
 */
function isWaiting(round: LocalRound): boolean {
  const isBegun = round.startedAt !== undefined || round.score.correctKeys > 0 || round.wordIndex > 0;
  return toTimeLimit(round) !== undefined && !isBegun;
}

/** Ms without a key after which somebody has gone away, and does not think about the next word. */
const longestThought = 20_000;

/**
 * Whether nobody has typed for so long that the round is paused as of its last key: people leave without saying so. In
 * a timed round the time passes all the same.
 */
export function isIdle(round: LocalRound, time: number): boolean {
  return (
    round.lastKey !== undefined && toTimeLimit(round) === undefined && time - round.lastKey >= longestThought
  );
}

/** Active ms of the round at `time` (monotonic ms); a paused round gets no older, nor does one that waits or is idle. */
export function toElapsed(round: LocalRound, time: number): number {
  return round.lastKey === undefined || isWaiting(round) || isIdle(round, time)
    ? round.active
    : round.active + Math.max(0, time - round.lastKey);
}

/** A mark that moves less often than this jumps; moving more often costs time and gains nothing, ms. */
const paceStep = 200;

/**
 * Ms until the clock of a timed round shows another second, or ends it, or a pacer moves, or a round pauses because nobody types;
 * undefined while nothing moves.
 *
 * @param hasPacer whether a mark moves through the text by time
 */
export function toNextTick(round: LocalRound, time: number, hasPacer = false): number | undefined {
  const limit = toTimeLimit(round);
  if (!isUnderWay(round) || round.isPaused || isWaiting(round)) return undefined;
  const elapsed = toElapsed(round, time);
  const step = hasPacer ? paceStep : limit === undefined ? Number.POSITIVE_INFINITY : 1000;
  const rest = limit === undefined ? toThoughtLeft(round, time) : limit - elapsed;
  return rest === undefined ? undefined : Math.max(0, Math.min(step - (elapsed % step), rest));
}

/** Ms until the round is idle; undefined where there is no last key to count from. */
function toThoughtLeft({ lastKey }: LocalRound, time: number): number | undefined {
  return lastKey === undefined ? undefined : lastKey + longestThought - time;
}

export function isTimeUp(round: LocalRound, time: number): boolean {
  const limit = toTimeLimit(round);
  return limit !== undefined && isUnderWay(round) && toElapsed(round, time) >= limit;
}

/** The round as it was when its time was over, even in the middle of a word. */
export function endByTime(round: LocalRound): LocalRound {
  return { ...round, active: toTimeLimit(round) ?? round.active, isOver: true };
}
