import type { Round } from './round.ts';
import { type ScoreStatistics, toScoreStatistics } from './statistics/score-statistics.ts';
import { type NotCounted, toVerdict } from './statistics/verdict.ts';

export interface SessionStatistics extends ScoreStatistics {
  readonly isNewBestWpm: boolean;
  readonly isNewBestAccuracy: boolean;
  readonly isNewBestTime: boolean;
  /** Null where the round counts. */
  readonly verdict: NotCounted | null;
}

/**
 * The statistics of one round. Before its timing is known, time is the sum of the seek times since the timer started, and
 * nothing is a best yet.
 */
export function toSessionStatistics(round: Round): SessionStatistics {
  const { score, practice, timing, newBests } = round;
  const milliseconds = timing?.duration ?? score.elapsedMs;
  return {
    ...toScoreStatistics(score, milliseconds),
    isNewBestWpm: newBests?.wpm ?? false,
    isNewBestAccuracy: newBests?.accuracy ?? false,
    isNewBestTime: newBests?.time ?? false,
    verdict: toVerdict(score, milliseconds, practice.mode.type === 'drill'),
  };
}
