import type { Score } from './score.ts';
import { toWpm } from './speed.ts';

/** Nobody types a whole round faster: the world's records over a minute lie near 250. In standard words per minute. */
export const fastestBelievable = 350;

/** Why a round does not count for bests, averages, letters and the choice of words. */
export type NotCounted = 'unmeasured' | 'too_fast' | 'drill';

/**
 * Why a round does not count; null where it does. A client may send no seek times at all: such a round is judged by its
 * speed only. But where some intervals were measured, half of them must be: the rest was pasted or made up.
 */
export function toVerdict(score: Score, milliseconds: number, isDrill = false): NotCounted | null {
  if (isDrill) return 'drill';
  if (score.measured > 0 && score.measured * 2 < score.intervals) return 'unmeasured';
  return toStandardWpm(score, milliseconds) > fastestBelievable ? 'too_fast' : null;
}

/**
 * (|T| − 1) / 5 per minute, T = the transcribed text, spaces between words included (Soukoreff & MacKenzie 2003): the time
 * of the first character is not measured, so it is left out.
 */
export function toStandardWpm({ right, wrong }: Score, milliseconds: number): number {
  return toWpm(Math.max(0, right + wrong - 1), milliseconds);
}
