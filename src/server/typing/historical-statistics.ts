import type { History } from './history.ts';
import type { KeyTally } from './key-tally.ts';
import { fingerOf, isLeftHand, letterCount, rowOf, toLetter } from './keyboard.ts';
import { toPercent } from './speed.ts';

/** How many error patterns are told, the most frequent ones. */
const shownErrorPatterns = 50;

export interface LetterStats {
  presented: number;
  correct: number;
  accuracy: number;
}

export interface SeekTimeStats {
  readonly total_time_ms: number;
  readonly count: number;
  readonly average_ms: number;
}

export interface HistoricalStatistics {
  readonly best_wpm: number;
  readonly best_accuracy: number;
  readonly best_time: number;
  readonly average_wpm: number;
  readonly average_accuracy: number;
  readonly average_time: number;
  readonly total_sessions: number;
  readonly letter_accuracy: Record<string, LetterStats>;
  readonly letter_seek_time: Record<string, SeekTimeStats>;
  readonly finger_stats: Record<string, LetterStats>;
  readonly row_stats: Record<string, LetterStats>;
  readonly hand_balance: { readonly left: number; readonly right: number };
  readonly alternation_rate: number;
  readonly sfb_stats: { readonly count: number; readonly average_ms: number };
  readonly rhythm_stddev: number;
  readonly error_patterns: { readonly expected: string; readonly typed: string; readonly count: number }[];
}

/** What the API tells of the history. Times are in seconds, seek times in milliseconds, rates in percent. */
export function toHistoricalStatistics(history: History): HistoricalStatistics {
  const { rounds, keys } = history;
  return {
    best_wpm: history.bestWpm,
    best_accuracy: history.bestAccuracy,
    best_time: history.bestMs / 1000,
    average_wpm: toMean(history.sumWpm, rounds),
    average_accuracy: toMean(history.sumAccuracy, rounds),
    average_time: toMean(history.sumMs, rounds) / 1000,
    total_sessions: rounds,
    letter_accuracy: toAccuracies(keys, toLetter),
    letter_seek_time: toSeekTimes(keys),
    finger_stats: toAccuracies(keys, fingerOf),
    row_stats: toAccuracies(keys, rowOf),
    hand_balance: toHandBalance(keys),
    alternation_rate: toPercent(keys.alternations, keys.pairs),
    sfb_stats: { count: keys.sameFinger, average_ms: toMean(keys.sameFingerMs, keys.sameFinger) },
    rhythm_stddev: toStandardDeviation(keys),
    error_patterns: toErrorPatterns(keys),
  };
}

function toMean(sum: number, count: number): number {
  return count > 0 ? sum / count : 0;
}

/** Presented and correct letters, added up by whatever the letters are grouped by. Groups never met are left out. */
function toAccuracies(
  { presented, correct }: KeyTally,
  groupOf: (letter: number) => string | number,
): Record<string, LetterStats> {
  const groups: Record<string, LetterStats> = {};
  for (let letter = 0; letter < letterCount; letter++) {
    const met = presented[letter] as number;
    if (met === 0) continue;
    const name = groupOf(letter);
    groups[name] ??= { presented: 0, correct: 0, accuracy: 0 };
    const group = groups[name];
    group.presented += met;
    group.correct += correct[letter] as number;
    group.accuracy = toPercent(group.correct, group.presented);
  }
  return groups;
}

function toSeekTimes({ seekMs, seekCount }: KeyTally): Record<string, SeekTimeStats> {
  const times: Record<string, SeekTimeStats> = {};
  for (const [letter, count] of seekCount.entries()) {
    if (count === 0) continue;
    const total = seekMs[letter] as number;
    times[toLetter(letter)] = { total_time_ms: total, count, average_ms: total / count };
  }
  return times;
}

function toHandBalance({ presented }: KeyTally): { left: number; right: number } {
  const all = sumOf(presented);
  if (all === 0) return { left: 0, right: 0 };
  const left = toPercent(sumOf(presented.filter((_, letter) => isLeftHand(letter))), all);
  return { left, right: 100 - left };
}

/**
 * Population standard deviation of all counted seek times: sqrt(n Σt² - (Σt)²) / n. The two terms nearly cancel out when
 * all times are alike, so they are subtracted as exact integers.
 */
function toStandardDeviation({ seekMs, seekCount, seekSquares }: KeyTally): number {
  const count = sumOf(seekCount);
  if (count === 0) return 0;
  const spread = BigInt(count) * BigInt(seekSquares) - BigInt(sumOf(seekMs)) ** 2n;
  return Math.sqrt(Number(spread)) / count;
}

function toErrorPatterns({ errors }: KeyTally): HistoricalStatistics['error_patterns'] {
  return Object.entries(errors)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, shownErrorPatterns)
    .map(([kind, count]) => ({ expected: kind.slice(0, 1), typed: kind.slice(1), count }));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
