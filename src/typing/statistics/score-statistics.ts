import { consistencyOf } from './pace.ts';
import type { Score } from './score.ts';
import { percentage, wpmOf } from './speed.ts';
import { standardWpmOf } from './verdict.ts';

/** Figures computed from the keys of one round and its time. Speeds in WPM, rates in percent. */
export interface ScoreStatistics {
  /** Correct keystrokes / 5 per minute. */
  readonly wpm: number;
  /** Share of correct keystrokes: a mistake counts even if it was corrected. */
  readonly accuracy: number;
  readonly milliseconds: number;
  readonly correctKeys: number;
  readonly totalKeys: number;
  /** See `standardWpmOf`. */
  readonly standardWpm: number;
  /** All characters typed / 5 per minute, spaces between words included. */
  readonly rawWpm: number;
  /** See `consistencyOf`. */
  readonly consistency: number | null;
  /** IF, INF and their sum as shares of C + INF + IF (Soukoreff & MacKenzie 2003). */
  readonly correctedErrorRate: number;
  readonly uncorrectedErrorRate: number;
  readonly totalErrorRate: number;
  /** Keystrokes per character: (C + INF + IF + F) / (C + INF). */
  readonly kspc: number;
  readonly omitted: number;
  /** Share of intervals that were measured, 0 to 1; 0 if there were none. */
  readonly measuredShare: number;
}

export function scoreStatistics(score: Score, milliseconds: number): ScoreStatistics {
  const { right, deleted, fixes } = score;
  // In the paper, INF is the distance between the two texts, which includes omissions.
  const left = score.wrong + score.omitted;
  const all = right + left + deleted;
  return {
    wpm: wpmOf(score.correctKeys, milliseconds),
    accuracy: percentage(score.correctKeys, score.totalKeys),
    milliseconds,
    correctKeys: score.correctKeys,
    totalKeys: score.totalKeys,
    standardWpm: standardWpmOf(score, milliseconds),
    rawWpm: wpmOf(score.typed, milliseconds),
    consistency: consistencyOf(score.pace, score.elapsedMs),
    correctedErrorRate: percentage(deleted, all),
    uncorrectedErrorRate: percentage(left, all),
    totalErrorRate: percentage(left + deleted, all),
    kspc: right + left > 0 ? (all + fixes) / (right + left) : 0,
    omitted: score.omitted,
    measuredShare: score.intervals > 0 ? score.measured / score.intervals : 0,
  };
}
