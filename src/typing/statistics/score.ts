import type { KeyReport } from '../rules/step.ts';
import { addToPace, newPace, type Pace } from './pace.ts';

/**
 * Sums over the keys of one round. Plain JSON. The classes of characters are those of Soukoreff & MacKenzie,
 * "Metrics for text entry research" (CHI 2003): right and left in the text (C), wrong and left (INF), wrong and fixed
 * (IF), keys that fix (F). The text includes the spaces between words.
 */
export interface Score {
  /** Keystrokes that typed a character, and those that matched; a right key typed again counts in neither. */
  readonly totalKeys: number;
  readonly correctKeys: number;
  /** Every character typed, the spaces between words included. */
  readonly typed: number;
  /** C, and the part of INF that is in the text. */
  readonly right: number;
  readonly wrong: number;
  /** Characters left out of words that were ended early: they are errors left in the text too. */
  readonly omitted: number;
  /** IF: every deleted character, right or wrong, and every wrong one that a rule kept out. */
  readonly deleted: number;
  /** F: backspaces that deleted something. */
  readonly fixes: number;
  /** Right keystrokes after the first character of a word, and those of them with a seek time. */
  readonly intervals: number;
  readonly measured: number;
  /** Sum of the seek times since the timer started, in milliseconds. */
  readonly elapsedMs: number;
  readonly pace: Pace;
}

type Growing = { -readonly [K in keyof Score]: Score[K] };

export function newScore(): Score {
  return {
    totalKeys: 0,
    correctKeys: 0,
    typed: 0,
    right: 0,
    wrong: 0,
    omitted: 0,
    deleted: 0,
    fixes: 0,
    intervals: 0,
    measured: 0,
    elapsedMs: 0,
    pace: newPace(),
  };
}

/** A copy that `addToScore` may change. */
export function copyScore(score: Score): Growing {
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
export function addToScore(score: Growing, report: KeyReport): void {
  const { kind, ms } = report;
  // A key's seek time passes before the key, so that of the key that starts the timer is before the start.
  if (report.isTimed && kind !== 'deletion') score.elapsedMs += ms;
  if (kind === 'character') addCharacter(score, report);
  else if (kind === 'advance') addAdvance(score, report);
  else if (kind === 'deletion') addDeletion(score, report);
}

function addCharacter(score: Growing, report: KeyReport): void {
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

function addAdvance(score: Growing, report: KeyReport): void {
  score.omitted += report.omitted;
  if (report.endsRound) return;
  score.right++;
  addTyped(score, report);
}

function addTyped(score: Growing, { isTimed, startsTimer }: KeyReport): void {
  score.typed++;
  if (isTimed || startsTimer) addToPace(score.pace, score.elapsedMs);
}

function addDeletion(score: Growing, { isRight }: KeyReport): void {
  if (isRight) score.right--;
  else score.wrong--;
  score.deleted++;
  score.fixes++;
}
