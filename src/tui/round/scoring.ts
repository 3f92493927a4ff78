import { wordText } from '../../typing/rules/word.ts';
import {
  type NotCounted,
  type ScoreStatistics,
  scoreStatistics,
  standardWpmOf,
  verdictOf,
} from '../../typing/statistics/score-statistics.ts';
import { type RoundView, reportsOf } from './round-view.ts';

/** No live speed is shown before this time, ms, because the first keys are too few. */
const minSpeedMs = 1500;

/** Speed as of the last key, or undefined while it is too early to tell. */
export function liveWpm({ progress, score, active }: RoundView): number | undefined {
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

export function scoreOf({ score, active, roundSetup, ended }: RoundView): RoundScore {
  const ms = Math.max(1, Math.round(active));
  const verdict = ended === undefined ? verdictOf(score, ms, roundSetup.mode.type === 'drill') : 'ended';
  return { ...scoreStatistics(score, ms), seconds: ms / 1000, verdict };
}

/** More missed words would make the drill too long. */
const maxMissed = 15;

/** How often each of them is repeated. */
const repeats = 3;

/** The words of a round that went wrong, each three times: a text to practise. Empty if there are none. */
export function missedText(round: RoundView): string {
  const missed = missedWords(round).slice(0, maxMissed);
  return Array<string[]>(repeats).fill(missed).flat().join(' ');
}

/** The words that had a wrong key or lacked a letter, each once, in the order of the round. */
export function missedWords(round: RoundView): string[] {
  const slips = reportsOf(round).filter(
    ({ kind, isRight, omitted }) => (kind === 'character' && !isRight) || omitted > 0,
  );
  return [...new Set(slips.map(({ word }) => wordText(word)))];
}
