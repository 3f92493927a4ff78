import * as v from 'valibot';
import type { Score } from '../../typing/statistics/score.ts';
import { standardWpmOf } from '../../typing/statistics/score-statistics.ts';

/** What ends a round before its text does. Only the client knows: to a server the round is unfinished. */
export const LimitsSchema = v.object({
  /** Whether the first mistake ends the round. */
  suddenDeath: v.boolean(),
  /** Standard WPM, and percent of the keystrokes, below which the round ends; 0: no limit. */
  minWpm: v.number(),
  minAccuracy: v.number(),
});
export type RoundLimits = Readonly<v.InferOutput<typeof LimitsSchema>>;

export const noLimits: RoundLimits = { suddenDeath: false, minWpm: 0, minAccuracy: 0 };

export const endReasons = ['mistake', 'slow', 'inaccurate'] as const;

/** Which limit has ended a round. */
export type EndReason = (typeof endReasons)[number];

/** Before so many ms, and so many keystrokes, a speed and an accuracy are chance. */
const fairStartMs = 5000;
const fairStartKeys = 25;

/**
 * The limit that the latest key has passed; undefined where it has passed none.
 *
 * @param active active ms of the round at that key
 */
export function endReasonOf(
  { suddenDeath, minWpm, minAccuracy }: RoundLimits,
  score: Score,
  active: number,
): EndReason | undefined {
  const { totalKeys, correctKeys, omitted } = score;
  if (suddenDeath && (correctKeys < totalKeys || omitted > 0)) return 'mistake';
  if (minWpm > 0 && active >= fairStartMs && standardWpmOf(score, active) < minWpm) return 'slow';
  const isFair = totalKeys >= fairStartKeys;
  return isFair && correctKeys * 100 < minAccuracy * totalKeys ? 'inaccurate' : undefined;
}
