import type { Practice } from './modes/practice.ts';
import type { Round } from './round.ts';
import { inputText } from './rules/progress.ts';
import { wordText } from './rules/word.ts';
import {
  type NotCounted,
  type ScoreStatistics,
  scoreStatistics,
  verdictOf,
  wpmOf,
} from './statistics/score-statistics.ts';

/** Number of words shown after the current one. */
const shownNextWords = 3;

export interface GameState {
  readonly words: readonly string[];
  readonly wordIndex: number;
  readonly input: string;
  readonly timerStarted: boolean;
  readonly roundId: string;
  readonly practice: Practice;
  readonly lineEnds: readonly number[] | undefined;
  /** WPM over the seek times so far; 0 before the timer starts. */
  readonly liveWpm: number;
  readonly current: string;
  readonly previous: string;
  readonly next: string;
  readonly nextWords: readonly string[];
  readonly lastSeq: number;
}

/** The state of a round that clients see. */
export function gameState({ id, words, progress, score, practice, lineEnds, lastSeq }: Round): GameState {
  const { wordIndex, timerStarted } = progress;
  const wordAt = (at: number) => wordText(words[at] ?? '');
  return {
    words: words.map(wordText),
    wordIndex,
    input: inputText(progress),
    timerStarted,
    roundId: id,
    practice,
    lineEnds,
    liveWpm: wpmOf(score.correctKeys, score.elapsedMs),
    current: wordAt(wordIndex),
    previous: wordAt(wordIndex - 1),
    next: wordAt(wordIndex + 1),
    nextWords: words.slice(wordIndex + 1, wordIndex + 1 + shownNextWords).map(wordText),
    lastSeq,
  };
}

export interface SessionStatistics extends ScoreStatistics {
  readonly isNewBestWpm: boolean;
  readonly isNewBestAccuracy: boolean;
  readonly isNewBestTime: boolean;
  /** Why the round does not count; null if it does. */
  readonly verdict: NotCounted | null;
}

/**
 * The statistics of one round. Until its timing is known, its time is the sum of the seek times since the
 * timer started, and nothing is a personal best.
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
