import { type FinishedRound, kindOfRound, retypeSteps } from './finished-round.ts';
import { addToScore, copyScore, newScore } from './score.ts';
import { type ScoreStatistics, scoreStatistics } from './score-statistics.ts';
import type { Steps } from './steps.ts';
import { type NotCounted, verdictOf } from './verdict.ts';

export interface FinishedStatistics extends ScoreStatistics {
  /** Why the round does not count; null if it does. */
  readonly verdict: NotCounted | null;
}

/** The statistics of a finished round, from its keys and its timing: in steps, because it may have tens of thousands of keys. */
export function* finishedStatisticsSteps(round: FinishedRound): Steps<FinishedStatistics> {
  const score = copyScore(newScore());
  yield* retypeSteps(round, (report) => addToScore(score, report));
  const { duration } = round.timing;
  return {
    ...scoreStatistics(score, duration),
    verdict: verdictOf(score, duration, kindOfRound(round).mode === 'drill'),
  };
}
