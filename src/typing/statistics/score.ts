import type { KeyReport } from '../rules/step.ts';

/**
 * Sums over the keys of one round. Plain JSON. The classes of characters are those of Soukoreff & MacKenzie,
 * "Metrics for text entry research" (CHI 2003): right and left in the text (C), wrong and left (INF), wrong
 * and fixed (IF), keys that fix (F). The text includes the spaces between words.
 */
export function newScore() {
  return {
    /** Keystrokes that typed a character, and those that matched; a right key again counts in neither. */
    totalKeys: 0,
    correctKeys: 0,
    /** Every character typed, the spaces between words included. */
    typed: 0,
    /** C, and the part of INF that is in the text. */
    right: 0,
    wrong: 0,
    /** Characters left out of words that were ended early: they are errors left in the text too. */
    omitted: 0,
    /** IF: every deleted character, right or wrong, and every wrong one that a rule kept out. */
    deleted: 0,
    /** F: backspaces that deleted something. */
    fixes: 0,
    /** Right keystrokes after the first character of a word, and those of them with a seek time. */
    intervals: 0,
    measured: 0,
    /** Sum of the seek times since the timer started, in milliseconds. */
    elapsedMs: 0,
    pace: newPace(),
  };
}

export type RunningScore = ReturnType<typeof newScore>;
export type Score = Readonly<RunningScore>;

export function copyScore(score: Score): RunningScore {
  const { second, keys, sum, squares } = score.pace;
  // Written out because that is faster than a spread, and it runs for every key.
  return {
    totalKeys: score.totalKeys,
    correctKeys: score.correctKeys,
    typed: score.typed,
    right: score.right,
    wrong: score.wrong,
    omitted: score.omitted,
    deleted: score.deleted,
    fixes: score.fixes,
    intervals: score.intervals,
    measured: score.measured,
    elapsedMs: score.elapsedMs,
    pace: { second, keys, sum, squares },
  };
}

/** Adds the effect of one key to `score`, in place. */
export function addToScore(score: RunningScore, report: KeyReport): void {
  const { kind, ms } = report;
  // A key's seek time passes before the key, so that of the key that starts the timer is before the start.
  if (report.isTimed && kind !== 'deletion') score.elapsedMs += ms;
  if (kind === 'character') addCharacter(score, report);
  else if (kind === 'advance') addAdvance(score, report);
  else if (kind === 'deletion') addDeletion(score, report);
}

function addCharacter(score: RunningScore, report: KeyReport): void {
  const { isRight } = report;
  if (!report.isAgain) {
    score.totalKeys++;
    if (isRight) score.correctKeys++;
  }
  if (isRight && report.at > 0) {
    score.intervals++;
    if (report.ms > 0) score.measured++;
  }
  if (!report.isKept) score.deleted++;
  else if (isRight) score.right++;
  else score.wrong++;
  addTyped(score, report);
}

function addAdvance(score: RunningScore, report: KeyReport): void {
  score.omitted += report.omitted;
  if (report.endsRound) return;
  score.right++;
  addTyped(score, report);
}

function addTyped(score: RunningScore, { isTimed, startsTimer }: KeyReport): void {
  score.typed++;
  if (isTimed || startsTimer) addToPace(score.pace, score.elapsedMs);
}

function addDeletion(score: RunningScore, { isRight }: KeyReport): void {
  if (isRight) score.right--;
  else score.wrong--;
  score.deleted++;
  score.fixes++;
}

/** Minimum milliseconds of typing that has a consistency, and of a remainder that counts as a second. */
const minTyping = 2000;
const minRest = 500;

/** Characters typed in each second since the timer started, added up as they come. */
function newPace() {
  return {
    /** Index of the latest second with a keystroke, and the characters typed in it. */
    second: 0,
    keys: 0,
    /** The characters typed in the seconds before, and the sum of the squares of those of each second. */
    sum: 0,
    squares: 0,
  };
}
type Pace = ReturnType<typeof newPace>;

/** Adds a character typed `ms` after the start of the timer. A second includes its end, not its beginning. */
function addToPace(pace: Pace, ms: number): void {
  const second = Math.ceil(ms / 1000) - 1;
  if (second > pace.second) {
    pace.sum += pace.keys;
    pace.squares += pace.keys ** 2;
    pace.second = second;
    pace.keys = 0;
  }
  pace.keys++;
}

/**
 * How even the typing was, 0 to 100: 100·(1 − tanh(c + c³/3 + c⁵/5)), c = population standard deviation /
 * mean of the raw speeds of the seconds, as in monkeytype. A remainder of at least half a second counts as a
 * second, with the speed over its own length. Null if less than two seconds were measured.
 *
 * @param elapsedMs total time of the measured typing
 */
export function consistencyOf(
  { second, keys, sum, squares }: Readonly<Pace>,
  elapsedMs: number,
): number | null {
  if (elapsedMs < minTyping) return null;
  const whole = Math.floor(elapsedMs / 1000);
  const rest = elapsedMs - whole * 1000;
  // Characters per second instead of WPM: a common factor does not change the ratio of deviation and mean.
  const hasRest = rest >= minRest;
  const inRest = hasRest ? (keys / rest) * 1000 : 0;
  const last = second < whole ? keys : inRest;
  const count = whole + Number(hasRest);
  const mean = (sum + last) / count;
  if (mean === 0) return null;
  const variance = (squares + last ** 2) / count - mean ** 2;
  const c = Math.sqrt(Math.max(0, variance)) / mean;
  return 100 * (1 - Math.tanh(c + c ** 3 / 3 + c ** 5 / 5));
}
