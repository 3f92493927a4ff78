import type { HistoricalStatistics } from '../../contract/statistics-types.ts';
import { letters } from '../round/keyboard.ts';
import { toWilson } from './wilson.ts';

/** What to practise next, and why. */
export type Advice =
  | { readonly kind: 'too-few'; readonly rounds: number }
  | {
      readonly kind: 'letter';
      readonly letter: string;
      /** Percent right, of how many. */
      readonly accuracy: number;
      readonly presented: number;
      /** Mean seek time of this letter and of all letters, ms; undefined when not measured often enough. */
      readonly seekMs: number | undefined;
      readonly overallSeekMs: number;
      readonly overallAccuracy: number;
      /** Whether it is the errors or the slowness that costs more. */
      readonly reason: 'errors' | 'slow';
      /** What is typed for it most often; empty when nothing stands out. */
      readonly confusedWith: string;
    }
  | { readonly kind: 'even'; readonly accuracy: number };

/** Fewer meetings with a letter say nothing about it. */
const fewestMeetings = 15;

/** A letter that loses less than this per thousand letters is not a weakness, ms. */
const smallestLoss = 250;

/** A wrong key, its deletion and the right key: three intervals more than needed. */
const intervalsPerError = 3;

interface Loss {
  readonly letter: string;
  readonly byErrors: number;
  readonly bySlowness: number;
}

/**
 * The letter whose improvement gains most: the time per thousand letters typed that it loses by more errors and by
 * slower strokes than the typist's average. A rare letter must be far worse than a common one to be named.
 */
export function toAdvice(history: HistoricalStatistics): Advice {
  const totals = sumUp(history);
  if (totals.presented < 300 || totals.seekCount < 100) {
    return { kind: 'too-few', rounds: history.total_sessions };
  }
  const worst = letters
    .map((letter) => toLoss(history, letter, totals))
    .reduce((a, b) => (b.byErrors + b.bySlowness > a.byErrors + a.bySlowness ? b : a));
  if (worst.byErrors + worst.bySlowness < smallestLoss) return { kind: 'even', accuracy: totals.accuracy };
  return explain(history, worst, totals);
}

interface Totals {
  readonly presented: number;
  readonly accuracy: number;
  readonly seekCount: number;
  readonly seekMs: number;
}

function sumUp({ letter_accuracy, letter_seek_time }: HistoricalStatistics): Totals {
  let presented = 0;
  let correct = 0;
  for (const stats of Object.values(letter_accuracy)) {
    presented += stats.presented;
    correct += stats.correct;
  }
  let total = 0;
  let seekCount = 0;
  for (const times of Object.values(letter_seek_time)) {
    total += times.total_time_ms;
    seekCount += times.count;
  }
  return {
    presented,
    accuracy: presented > 0 ? (correct / presented) * 100 : 0,
    seekCount,
    seekMs: seekCount > 0 ? total / seekCount : 0,
  };
}

function toLoss(history: HistoricalStatistics, letter: string, totals: Totals): Loss {
  const stats = history.letter_accuracy[letter];
  const times = history.letter_seek_time[letter];
  if (stats === undefined || stats.presented < fewestMeetings) return { letter, byErrors: 0, bySlowness: 0 };
  const perThousand = (stats.presented / totals.presented) * 1000;
  const errorRate = 1 - stats.correct / stats.presented;
  const excess =
    times === undefined || times.count < fewestMeetings
      ? 0
      : times.total_time_ms / times.count - totals.seekMs;
  // Only what chance cannot explain is a weakness.
  const isWeak = toWilson(stats.correct, stats.presented).high < totals.accuracy / 100;
  const excessRate = isWeak ? errorRate - (1 - totals.accuracy / 100) : 0;
  return {
    letter,
    byErrors: perThousand * excessRate * intervalsPerError * totals.seekMs,
    bySlowness: perThousand * Math.max(0, excess),
  };
}

function explain(
  history: HistoricalStatistics,
  { letter, byErrors, bySlowness }: Loss,
  totals: Totals,
): Advice {
  const { presented = 0, correct = 0 } = history.letter_accuracy[letter] ?? {};
  const times = history.letter_seek_time[letter];
  const confusion = history.error_patterns.find(({ expected, count }) => expected === letter && count >= 3);
  return {
    kind: 'letter',
    letter,
    accuracy: (correct / presented) * 100,
    presented,
    seekMs:
      times !== undefined && times.count >= fewestMeetings ? times.total_time_ms / times.count : undefined,
    overallSeekMs: totals.seekMs,
    overallAccuracy: totals.accuracy,
    reason: byErrors >= bySlowness ? 'errors' : 'slow',
    confusedWith: confusion?.typed.trim() ?? '',
  };
}
