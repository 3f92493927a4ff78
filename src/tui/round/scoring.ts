import {
  type NotCounted,
  type ScoreStatistics,
  scoreStatistics,
  standardWpmOf,
  verdictOf,
} from '../../typing/statistics/score-statistics.ts';
import type { RoundView } from './round-view.ts';

/** The first keys are too few to tell a speed from. */
const firstHonestMs = 1500;

/** Speed as of the last key, or undefined while it is too early to tell. */
export function liveWpm({
  progress,
  score,
  active,
}: Pick<RoundView, 'progress' | 'active' | 'score'>): number | undefined {
  return !progress.timerStarted || active < firstHonestMs ? undefined : standardWpmOf(score, active);
}

/** Why a round does not count; a round that a limit ended never reaches the server. */
export type Verdict = NotCounted | 'ended';

/** The figures of a finished round, as the session API computes them. */
export interface RoundScore extends ScoreStatistics {
  readonly seconds: number;
  /** Why the round does not count for bests, averages and letters; null if it does. */
  readonly verdict: Verdict | null;
}

export function scoreOf({
  score,
  active,
  practised,
  ended,
}: Pick<RoundView, 'score' | 'active' | 'practised' | 'ended'>): RoundScore {
  const ms = Math.max(1, Math.round(active));
  const verdict = ended === undefined ? verdictOf(score, ms, practised.mode.type === 'drill') : 'ended';
  return { ...scoreStatistics(score, ms), seconds: ms / 1000, verdict };
}
