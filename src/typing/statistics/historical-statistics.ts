import { fingerOf, isLeftHand, type LayoutOf, qwerty, rowOf } from '../letters/layout.ts';
import { type Chapter, toBests } from './history.ts';
import { toMean, toPercent } from './speed.ts';
import type { Steps } from './steps.ts';

/** Most error patterns and bigrams in an answer; the most frequent ones are kept. */
const shownErrorPatterns = 50;
const shownBigrams = 100;

export interface Hits {
  presented: number;
  correct: number;
}

export interface Times {
  ms: number;
  count: number;
}

export interface HistoricalStatistics {
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
  readonly fingers: Readonly<Record<string, Hits>>;
  readonly rows: Readonly<Record<string, Hits>>;
  readonly hands: { readonly left: number; readonly right: number };
  /** Percentage of bigrams typed with both hands. */
  readonly alternationRate: number;
  readonly sameFinger: Readonly<Times>;
  /** Population standard deviation of all counted seek times, in milliseconds. */
  readonly rhythmDeviation: number;
  readonly errors: readonly { readonly expected: string; readonly typed: string; readonly count: number }[];
}

/**
 * The combined statistics of these chapters of a history. Speeds in WPM, rates in percent. Computed in steps, between which other
 * requests can be handled: a history of texts in many scripts has tens of thousands of letters and pairs.
 */
export function* historicalStatisticsSteps(
  chapters: readonly Chapter[],
  layoutOf: LayoutOf = () => qwerty,
): Steps<HistoricalStatistics> {
  const sum = (of: (chapter: Chapter) => number) => chapters.reduce((total, each) => total + of(each), 0);
  const { rounds, ...bests } = toBests(chapters);
  const average = (of: (chapter: Chapter) => number) => toMean(sum(of), rounds);
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
    averageConsistency: toMean(
      sum((each) => each.sumConsistency),
      sum((each) => each.consistencies),
    ),
    ...(yield* toLetterStatistics(chapters)),
    ...(yield* toHandStatistics(chapters, layoutOf)),
    errors: yield* toErrors(chapters),
  };
}

/** Entries handled in one step. */
const stepLength = 500;

/** Calls back with every entry of a table. */
function* takeEach<T>(
  table: Readonly<Record<string, T>>,
  take: (name: string, entry: T) => void,
): Steps<void> {
  let count = 0;
  for (const name of Object.keys(table)) {
    take(name, table[name] as T);
    count += 1;
    if (count % stepLength === 0) yield;
  }
  yield;
}

/** The most frequent entries, ordered by count and name. */
function* mostFrequent<T>(
  entries: readonly (readonly [name: string, entry: T])[],
  most: number,
  countOf: (entry: T) => number,
): Steps<(readonly [name: string, entry: T])[]> {
  let best: (readonly [name: string, entry: T])[] = [];
  for (let at = 0; at < entries.length; at += stepLength) {
    best = [...best, ...entries.slice(at, at + stepLength)]
      .sort(([a, one], [b, other]) => countOf(other) - countOf(one) || compare(a, b))
      .slice(0, most);
    yield;
  }
  return best;
}

function* toLetterStatistics(chapters: readonly Chapter[]) {
  const letters: Record<string, Hits> = {};
  const seekTimes: Record<string, Times> = {};
  const bigrams: Record<string, Times> = {};
  let squares = 0;
  for (const { keys } of chapters) {
    yield* takeEach(keys.letters, (letter, tally) => {
      addHits(letters, letter, tally);
      addTimes(seekTimes, letter, tally.seekMs, tally.seekCount);
      squares += tally.seekSquares;
    });
    yield* takeEach(keys.bigrams, (pair, { ms, count }) => addTimes(bigrams, pair, ms, count));
  }
  const frequent = yield* mostFrequent(Object.entries(bigrams), shownBigrams, ({ count }) => count);
  return {
    letters,
    seekTimes,
    bigrams: Object.fromEntries(frequent),
    rhythmDeviation: toDeviation(Object.values(seekTimes), squares),
  };
}

/** Letters that are not on a layout belong to no finger, row or hand. */
function* toHandStatistics(chapters: readonly Chapter[], layoutOf: LayoutOf) {
  const fingers: Record<string, Hits> = {};
  const rows: Record<string, Hits> = {};
  const presented = { left: 0, right: 0 };
  const sameFinger = { ms: 0, count: 0 };
  let [pairs, alternations] = [0, 0];
  for (const { layout: id, keyboard, keys } of chapters) {
    const layout = keyboard ?? layoutOf(id);
    yield* takeEach(keys.letters, (letter, tally) => {
      const [finger, row] = [fingerOf(layout, letter), rowOf(layout, letter)];
      if (finger !== undefined) {
        addHits(fingers, String(finger), tally);
        presented[isLeftHand(finger) ? 'left' : 'right'] += tally.presented;
      }
      if (row !== undefined) addHits(rows, String(row), tally);
    });
    yield* takeEach(keys.bigrams, (pair, { ms, count }) => {
      const [first = '', second = ''] = pair;
      const [a, b] = [fingerOf(layout, first), fingerOf(layout, second)];
      pairs += count;
      if (a === undefined || b === undefined) return;
      if (isLeftHand(a) !== isLeftHand(b)) alternations += count;
      if (a !== b || first === second) return;
      sameFinger.ms += ms;
      sameFinger.count += count;
    });
  }
  const all = presented.left + presented.right;
  const left = toPercent(presented.left, all);
  return {
    fingers,
    rows,
    hands: all > 0 ? { left, right: 100 - left } : { left: 0, right: 0 },
    alternationRate: toPercent(alternations, pairs),
    sameFinger,
  };
}

/** Leaves out groups that never came. */
function addHits(groups: Record<string, Hits>, name: string, { presented, correct }: Hits): void {
  if (presented === 0) return;
  groups[name] ??= { presented: 0, correct: 0 };
  const group = groups[name];
  group.presented += presented;
  group.correct += correct;
}

function addTimes(groups: Record<string, Times>, name: string, ms: number, count: number): void {
  if (count === 0) return;
  groups[name] ??= { ms: 0, count: 0 };
  const group = groups[name];
  group.ms += ms;
  group.count += count;
}

/**
 * Population standard deviation: sqrt(n Σt² - (Σt)²) / n. The two terms nearly cancel out if all times are similar, so
 * they are subtracted as exact integers.
 */
function toDeviation(times: readonly Times[], squares: number): number {
  const count = times.reduce((sum, each) => sum + each.count, 0);
  const ms = times.reduce((sum, each) => sum + each.ms, 0);
  if (count === 0) return 0;
  return Math.sqrt(Number(BigInt(count) * BigInt(squares) - BigInt(ms) ** 2n)) / count;
}

function* toErrors(chapters: readonly Chapter[]): Steps<HistoricalStatistics['errors']> {
  const counts = new Map<string, number>();
  for (const { keys } of chapters)
    yield* takeEach(keys.errors, (kind, count) => counts.set(kind, (counts.get(kind) ?? 0) + count));
  const frequent = yield* mostFrequent([...counts], shownErrorPatterns, (count) => count);
  return frequent.map(([kind, count]) => ({ expected: kind.slice(0, 1), typed: kind.slice(1), count }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
