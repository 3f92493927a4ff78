import type { HistoricalStatistics, SessionStatistics } from '../../contract/answer-types.ts';
import { wireSession } from '../../contract/typing-answers.ts';
import {
  isFitForBest,
  type NotCounted,
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

/** Whether a round lasted long enough to tell a speed from: a limit may end it with its first keys. */
export function hasSpeed({ seconds }: { readonly seconds: number }): boolean {
  return seconds * 1000 >= firstHonestMs;
}

/** What can be said of a finished round before it is saved; the same as its session statistics. */
export interface RoundScore {
  /** Right keystrokes / 5 per minute, without spaces: what the session API calls `wpm`. */
  readonly wpm: number;
  /** The headline: spaces counted, comparable with other programs (see `standardWpmOf`). */
  readonly standardWpm: number;
  /** Every character typed, right or wrong. */
  readonly rawWpm: number;
  /** 0 to 100; null where too little was measured. */
  readonly consistency: number | null;
  /** Percent of the characters: wrong and fixed, wrong and left. */
  readonly correctedErrorRate: number;
  readonly uncorrectedErrorRate: number;
  /** Percent. */
  readonly accuracy: number;
  readonly seconds: number;
  readonly correct: number;
  readonly total: number;
  /** Characters of words that were left out. */
  readonly omitted: number;
  /** Why the round does not count for bests, averages and letters; null where it does. */
  readonly verdict: Verdict | null;
}

/** Why a round does not count; a round that a limit ended never reaches the server. */
export type Verdict = NotCounted | 'ended';

type Scored = Pick<RoundView, 'score' | 'active' | 'practised' | 'ended'>;

export function scoreOf({ score, active, practised, ended }: Scored): RoundScore {
  const ms = Math.max(1, Math.round(active));
  const { milliseconds, correctKeys, totalKeys, kspc, measuredShare, totalErrorRate, ...figures } =
    scoreStatistics(score, ms);
  return {
    ...figures,
    seconds: ms / 1000,
    correct: correctKeys,
    total: totalKeys,
    verdict: ended === undefined ? verdictOf(score, ms, practised.mode.type === 'drill') : 'ended',
  };
}

/** Whether a round of this accuracy, in percent, can be anybody's best: as the server decides it. */
export function canBeBest(accuracy: number): boolean {
  return isFitForBest(accuracy);
}

/** What the session API says of the round. @param before everything of its kind that was finished earlier; undefined: not known */
export function sessionStatistics(
  { score, active, practised }: RoundView,
  before: HistoricalStatistics | undefined,
): SessionStatistics {
  const ms = Math.max(1, Math.round(active));
  const figures = scoreStatistics(score, ms);
  const verdict = verdictOf(score, ms, practised.mode.type === 'drill');
  const counts = before !== undefined && verdict === null;
  const isFirst = before?.total_sessions === 0;
  return wireSession({
    ...figures,
    verdict,
    isNewBestWpm: counts && (isFirst || figures.wpm > before.best_wpm),
    isNewBestAccuracy: counts && (isFirst || figures.accuracy > before.best_accuracy),
    isNewBestTime: counts && (isFirst || ms / 1000 < before.best_time),
  });
}
