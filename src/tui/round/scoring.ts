import {
  type NotCounted,
  type ScoreStatistics,
  scoreStatistics,
  standardWpmOf,
  verdictOf,
} from '../../typing/statistics/score-statistics.ts';
import type { RoundView } from './round-view.ts';

/** No live speed is shown before this time, ms, because the first keys are too few. */
const minSpeedMs = 1500;

/** Speed as of the last key, or undefined while it is too early to tell. */
export function liveWpm({
  progress,
  score,
  active,
}: Pick<RoundView, 'progress' | 'active' | 'score'>): number | undefined {
  return !progress.timerStarted || active < minSpeedMs ? undefined : standardWpmOf(score, active);
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
  roundSetup,
  ended,
}: Pick<RoundView, 'score' | 'active' | 'roundSetup' | 'ended'>): RoundScore {
  const ms = Math.max(1, Math.round(active));
  const verdict = ended === undefined ? verdictOf(score, ms, roundSetup.mode.type === 'drill') : 'ended';
  return { ...scoreStatistics(score, ms), seconds: ms / 1000, verdict };
}
