import { type LayoutOf, qwerty } from '../letters/layout.ts';
import {
  addBigram,
  addHits,
  addLetter,
  addTimes,
  type HandStatistics,
  type Hits,
  handStatistics,
  newHandSums,
} from './hand-statistics.ts';
import { type Chapter, personalBests } from './history.ts';
import type { Times } from './key-tally.ts';
import { meanOf } from './score-statistics.ts';

/** Maximum number of error patterns and bigrams in an answer: the most frequent ones. */
const maxErrorPatterns = 50;
const maxBigrams = 100;

export interface HistoricalStatistics extends HandStatistics {
  /** Rounds that count, and rounds that do not. */
  readonly rounds: number;
  readonly notCounted: number;
  readonly bestWpm: number;
  readonly bestStandardWpm: number;
  readonly bestAccuracy: number;
  readonly bestMs: number;
  readonly averageWpm: number;
  readonly averageStandardWpm: number;
  readonly averageAccuracy: number;
  readonly averageMs: number;
  readonly averageConsistency: number;
  readonly letters: Readonly<Record<string, Hits>>;
  readonly seekTimes: Readonly<Record<string, Times>>;
  readonly bigrams: Readonly<Record<string, Times>>;
  /** Population standard deviation of all counted seek times, in milliseconds. */
  readonly rhythmDeviation: number;
  readonly errors: readonly { readonly expected: string; readonly typed: string; readonly count: number }[];
}

/** The combined statistics of these chapters of a history. Speeds in WPM, rates in percent. */
export function historicalStatistics(
  chapters: readonly Chapter[],
  layoutOf: LayoutOf = () => qwerty,
): HistoricalStatistics {
  const sum = (of: (chapter: Chapter) => number) => chapters.reduce((total, each) => total + of(each), 0);
  const { rounds, ...bests } = personalBests(chapters);
  const average = (of: (chapter: Chapter) => number) => meanOf(sum(of), rounds);
  return {
    rounds,
    notCounted: sum((each) => each.notCounted),
    bestWpm: bests.wpm,
    bestStandardWpm: bests.standardWpm,
    bestAccuracy: bests.accuracy,
    bestMs: bests.ms,
    averageWpm: average((each) => each.sumWpm),
    averageStandardWpm: average((each) => each.sumStandardWpm),
    averageAccuracy: average((each) => each.sumAccuracy),
    averageMs: average((each) => each.sumMs),
    averageConsistency: meanOf(
      sum((each) => each.sumConsistency),
      sum((each) => each.consistencies),
    ),
    ...keyStatistics(chapters, layoutOf),
    errors: errorPatterns(chapters),
  };
}

function keyStatistics(chapters: readonly Chapter[], layoutOf: LayoutOf) {
  const letters: Record<string, Hits> = {};
  const seekTimes: Record<string, Times> = {};
  const bigrams: Record<string, Times> = {};
  const hands = newHandSums();
  let squares = 0;
  for (const { layout: id, keys } of chapters) {
    const layout = layoutOf(id);
    for (const [letter, tally] of Object.entries(keys.letters)) {
      addHits(letters, letter, tally);
      addTimes(seekTimes, letter, { ms: tally.seekMs, count: tally.seekCount });
      squares += tally.seekSquares;
      addLetter(hands, layout, letter, tally);
    }
    for (const [pair, times] of Object.entries(keys.bigrams)) {
      addBigram(hands, layout, pair, times);
      addTimes(bigrams, pair, times);
    }
  }
  return {
    letters,
    seekTimes,
    bigrams: Object.fromEntries(mostFrequent(bigrams, maxBigrams)),
    rhythmDeviation: standardDeviation(Object.values(seekTimes), squares),
    ...handStatistics(hands),
  };
}

/**
 * Population standard deviation: sqrt(n Σt² - (Σt)²) / n. If all times are similar, the two terms nearly
 * cancel out, so they are subtracted as exact integers.
 */
function standardDeviation(times: readonly Times[], squares: number): number {
  const count = times.reduce((sum, each) => sum + each.count, 0);
  const ms = times.reduce((sum, each) => sum + each.ms, 0);
  if (count === 0) return 0;
  return Math.sqrt(Number(BigInt(count) * BigInt(squares) - BigInt(ms) ** 2n)) / count;
}

function errorPatterns(chapters: readonly Chapter[]): HistoricalStatistics['errors'] {
  const errors: Record<string, Times> = {};
  for (const { keys } of chapters) {
    for (const [kind, count] of Object.entries(keys.errors)) addTimes(errors, kind, { ms: 0, count });
  }
  return mostFrequent(errors, maxErrorPatterns).map(([kind, { count }]) => ({
    expected: kind.slice(0, 1),
    typed: kind.slice(1),
    count,
  }));
}

/** The entries with the highest counts; among equals in the order of the code units of their names. */
function mostFrequent(entries: Readonly<Record<string, Times>>, max: number): [name: string, Times][] {
  return Object.entries(entries)
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .slice(0, max);
}
