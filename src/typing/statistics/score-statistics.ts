import type { KeyReport } from '../rules/step.ts';
import { type FinishedRound, kindOfRound, replayRound } from './finished-round.ts';
import { addToScore, consistencyOf, newScore, type Score } from './score.ts';

/**
 * Statistics of one round, from its keys and its time, under the names of the wire. Speeds in WPM, rates in
 * percent.
 */
export function scoreStatistics(score: Score, milliseconds: number) {
  const { correctKeys, totalKeys, right, deleted, fixes, omitted } = score;
  // In the paper, INF is the distance between the two texts, which includes omissions.
  const left = score.wrong + omitted;
  const all = right + left + deleted;
  return {
    /** Correct keystrokes / 5 per minute. */
    wpm: wpmOf(correctKeys, milliseconds),
    /** Share of correct keystrokes: a mistake counts even if it was corrected. */
    accuracy: percentage(correctKeys, totalKeys),
    time_seconds: milliseconds / 1000,
    correct_chars: correctKeys,
    total_chars: totalKeys,
    standard_wpm: standardWpmOf(score, milliseconds),
    /** All characters typed / 5 per minute, spaces between words included. */
    raw_wpm: wpmOf(score.typed, milliseconds),
    consistency: consistencyOf(score.pace, score.elapsedMs),
    /** IF, INF and their sum as shares of C + INF + IF (Soukoreff & MacKenzie 2003). */
    corrected_error_rate: percentage(deleted, all),
    uncorrected_error_rate: percentage(left, all),
    total_error_rate: percentage(left + deleted, all),
    /** Keystrokes per character: (C + INF + IF + F) / (C + INF). */
    kspc: meanOf(all + fixes, right + left),
    omitted_chars: omitted,
    /** Share of intervals that were measured, 0 to 1; 0 if there were none. */
    measured_share: meanOf(score.measured, score.intervals),
  };
}
export type ScoreStatistics = Readonly<ReturnType<typeof scoreStatistics>>;

/** The same, and whether and why the round does not count. */
export function judgedStatistics(score: Score, milliseconds: number, isDrill: boolean) {
  const verdict = verdictOf(score, milliseconds, isDrill);
  return { ...scoreStatistics(score, milliseconds), counts: verdict === null, counts_reason: verdict };
}

/** The statistics of a finished round, from its keys and its timing. */
export function finishedStatistics(round: FinishedRound, onReport: (report: KeyReport) => void = () => {}) {
  const score = newScore();
  replayRound(round, (report) => {
    addToScore(score, report);
    onReport(report);
  });
  return judgedStatistics(score, round.timing.duration, kindOfRound(round).mode === 'drill');
}

/** In standard WPM. Nobody types a whole round faster: the world records over a minute are near 250. */
export const maxBelievable = 350;

/** Why a round does not count for personal bests, averages, letters and the choice of words. */
export type NotCounted = 'unmeasured' | 'too_fast' | 'drill';

/**
 * Why a round does not count; null if it does. A client may send no seek times: such a round is judged by its
 * speed alone. But if some were measured, at least half must be: otherwise the rest was pasted or made up.
 */
export function verdictOf(score: Score, milliseconds: number, isDrill = false): NotCounted | null {
  if (isDrill) return 'drill';
  if (score.measured > 0 && score.measured * 2 < score.intervals) return 'unmeasured';
  return standardWpmOf(score, milliseconds) > maxBelievable ? 'too_fast' : null;
}

/** Minimum accuracy of a best speed, in percent: keys hit at random are fast, too. */
const minBestAccuracy = 50;

/** Whether a round that counts and has this accuracy, in percent, can be anybody's best speed. */
export function isFitForBest(accuracy: number): boolean {
  return accuracy >= minBestAccuracy;
}

/**
 * (|T| − 1) / 5 per minute, T = the transcribed text including the spaces between words (Soukoreff &
 * MacKenzie 2003): the first character does not count, because its time is not measured.
 */
export function standardWpmOf({ right, wrong }: Score, milliseconds: number): number {
  return wpmOf(Math.max(0, right + wrong - 1), milliseconds);
}

/** A word counts as five characters (Yamada 1980); a minute has 60,000 milliseconds. */
const wpmOfOneCharacterPerMs = 60_000 / 5;

/** Words per minute: characters / 5 / minutes. 0 if no time has passed. */
export function wpmOf(characters: number, milliseconds: number): number {
  return milliseconds > 0 ? (characters * wpmOfOneCharacterPerMs) / milliseconds : 0;
}

/** A part in percent of the whole; 0 if the whole is 0. */
export function percentage(part: number, whole: number): number {
  return whole > 0 ? (part / whole) * 100 : 0;
}

/** The mean; 0 if the count is 0. */
export function meanOf(sum: number, count: number): number {
  return count > 0 ? sum / count : 0;
}
