import type { Score } from './score.ts';
import { wpmOf } from './speed.ts';

/** In standard WPM. Nobody types a whole round faster: the world records over a minute are near 250. */
export const maxBelievable = 350;

/** Why a round does not count for personal bests, averages, letters and the choice of words. */
export type NotCounted = 'unmeasured' | 'too_fast' | 'drill';

/**
 * Why a round does not count; null if it does. A client may send no seek times at all: such a round is judged by its
 * speed only. But if some intervals were measured, at least half must be: otherwise the rest was pasted or made up.
 */
export function verdictOf(score: Score, milliseconds: number, isDrill = false): NotCounted | null {
  if (isDrill) return 'drill';
  if (score.measured > 0 && score.measured * 2 < score.intervals) return 'unmeasured';
  return standardWpmOf(score, milliseconds) > maxBelievable ? 'too_fast' : null;
}

/** Percent of right keystrokes that the best speed needs: keys hit at random are fast, too. */
const minBestAccuracy = 50;

/** Whether a round that counts and has this accuracy, in percent, can be anybody's best speed. */
export function isFitForBest(accuracy: number): boolean {
  return accuracy >= minBestAccuracy;
}

/**
 * (|T| − 1) / 5 per minute, T = the transcribed text including the spaces between words (Soukoreff & MacKenzie 2003): the
 * first character does not count, because its time is not measured.
 */
export function standardWpmOf({ right, wrong }: Score, milliseconds: number): number {
  return wpmOf(Math.max(0, right + wrong - 1), milliseconds);
}
