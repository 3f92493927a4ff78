import type { Round } from './round.ts';
import { type ScoreStatistics, scoreStatistics } from './statistics/score-statistics.ts';
import { type NotCounted, verdictOf } from './statistics/verdict.ts';

export interface SessionStatistics extends ScoreStatistics {
  readonly isNewBestWpm: boolean;
  readonly isNewBestAccuracy: boolean;
  readonly isNewBestTime: boolean;
  /** Why the round does not count; null if it does. */
  readonly verdict: NotCounted | null;
}

/**
 * The statistics of one round. Until its timing is known, its time is the sum of the seek times since the timer started, and
 * nothing is a personal best.
 */
export function sessionStatistics(round: Round): SessionStatistics {
  const { score, practice, timing, newBests } = round;
  const milliseconds = timing?.duration ?? score.elapsedMs;
  return {
    ...scoreStatistics(score, milliseconds),
    isNewBestWpm: newBests?.wpm ?? false,
    isNewBestAccuracy: newBests?.accuracy ?? false,
    isNewBestTime: newBests?.time ?? false,
    verdict: verdictOf(score, milliseconds, practice.mode.type === 'drill'),
  };
}
