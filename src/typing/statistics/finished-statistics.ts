import { type FinishedRound, kindOfRound, retypeRound } from './finished-round.ts';
import { addToScore, copyScore, newScore } from './score.ts';
import { type ScoreStatistics, toScoreStatistics } from './score-statistics.ts';
import { type NotCounted, toVerdict } from './verdict.ts';

export interface FinishedStatistics extends ScoreStatistics {
  /** Why the round does not count; null if it does. */
  readonly verdict: NotCounted | null;
}

/** The statistics of a finished round, computed from its keys and its timing. */
export function toFinishedStatistics(round: FinishedRound): FinishedStatistics {
  const score = copyScore(newScore());
  retypeRound(round, (report) => addToScore(score, report));
  const { duration } = round.timing;
  return {
    ...toScoreStatistics(score, duration),
    verdict: toVerdict(score, duration, kindOfRound(round).mode === 'drill'),
  };
}
