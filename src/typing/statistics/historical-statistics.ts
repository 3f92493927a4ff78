import { fingerOf, isLeftHand, type LayoutOf, qwerty, rowOf } from '../letters/layout.ts';
import { type Chapter, personalBests } from './history.ts';
import type { Times } from './key-tally.ts';
import { meanOf, percentage } from './score-statistics.ts';

/** Maximum number of error patterns and bigrams in an answer: the most frequent ones. */
const maxErrorPatterns = 50;
const maxBigrams = 100;

type Hits = Pick<Chapter['keys']['letters'][string], 'presented' | 'correct'>;

/**
 * Combines the statistics of these chapters of a history, under the names of the wire. Speeds in WPM, rates in
 * percent, times of rounds in seconds. In steps: of many chapters it takes 20 ms.
 */
export function* historicalSteps(chapters: readonly Chapter[], layoutOf: LayoutOf = () => qwerty) {
  const sum = (of: (chapter: Chapter) => number) => chapters.reduce((total, each) => total + of(each), 0);
  const bests = personalBests(chapters);
  const average = (of: (chapter: Chapter) => number) => meanOf(sum(of), bests.rounds);
  return {
    best_wpm: bests.bestWpm,
    best_accuracy: bests.bestAccuracy,
    best_time: bests.bestMs / 1000,
    average_wpm: average((each) => each.sumWpm),
    average_accuracy: average((each) => each.sumAccuracy),
    average_time: average((each) => each.sumMs) / 1000,
    total_sessions: bests.rounds,
    ...(yield* keySteps(chapters, layoutOf)),
    error_patterns: errorPatterns(chapters),
    best_standard_wpm: bests.bestStandardWpm,
    average_standard_wpm: average((each) => each.sumStandardWpm),
    average_consistency: meanOf(
      sum((each) => each.sumConsistency),
      sum((each) => each.consistencies),
    ),
    rounds_not_counted: sum((each) => each.notCounted),
  };
}

/** Of letters and pairs of letters. Those that are not on a layout belong to no finger, row or hand. */
function* keySteps(chapters: readonly Chapter[], layoutOf: LayoutOf) {
  const letters: Record<string, Hits> = {};
  const fingers: Record<string, Hits> = {};
  const rows: Record<string, Hits> = {};
  const seekTimes: Record<string, Times> = {};
  const bigrams: Record<string, Times> = {};
  const sameFinger: Times = { ms: 0, count: 0 };
  const presented = { left: 0, right: 0 };
  let [squares, pairs, alternations] = [0, 0, 0];
  for (const { layout: id, keys } of chapters) {
    yield;
    const layout = layoutOf(id);
    for (const [letter, tally] of Object.entries(keys.letters)) {
      const [finger, row] = [fingerOf(layout, letter), rowOf(layout, letter)];
      addHits(letters, letter, tally);
      if (finger !== undefined) {
        addHits(fingers, String(finger), tally);
        presented[isLeftHand(finger) ? 'left' : 'right'] += tally.presented;
      }
      if (row !== undefined) addHits(rows, String(row), tally);
      addTimes(seekTimes, letter, { ms: tally.seekMs, count: tally.seekCount });
      squares += tally.seekSquares;
    }
    for (const [pair, { ms, count }] of Object.entries(keys.bigrams)) {
      addTimes(bigrams, pair, { ms, count });
      pairs += count;
      const [first, second] = [pair.charAt(0), pair.charAt(1)];
      const [a, b] = [fingerOf(layout, first), fingerOf(layout, second)];
      if (a === undefined || b === undefined) continue;
      if (isLeftHand(a) !== isLeftHand(b)) alternations += count;
      if (a !== b || first === second) continue;
      sameFinger.ms += ms;
      sameFinger.count += count;
    }
  }
  const all = presented.left + presented.right;
  const left = percentage(presented.left, all);
  return {
    letter_accuracy: mapEach(letters, withAccuracy),
    letter_seek_time: mapEach(seekTimes, (each) => ({ total_time_ms: each.ms, ...withAverage(each) })),
    finger_stats: mapEach(fingers, withAccuracy),
    row_stats: mapEach(rows, withAccuracy),
    hand_balance: { left, right: all > 0 ? 100 - left : 0 },
    alternation_rate: percentage(alternations, pairs),
    sfb_stats: withAverage(sameFinger),
    rhythm_stddev: standardDeviation(Object.values(seekTimes), squares),
    bigrams: mapEach(Object.fromEntries(mostFrequent(bigrams, maxBigrams)), withAverage),
  };
}

function withAccuracy({ presented, correct }: Hits) {
  return { presented, correct, accuracy: percentage(correct, presented) };
}

function withAverage({ ms, count }: Times) {
  return { count, average_ms: meanOf(ms, count) };
}

function mapEach<From, To>(
  entries: Readonly<Record<string, From>>,
  convert: (entry: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, convert(entry)]));
}

/** Leaves out groups without occurrences. */
function addHits(groups: Record<string, Hits>, name: string, { presented, correct }: Hits): void {
  if (presented === 0) return;
  groups[name] ??= { presented: 0, correct: 0 };
  groups[name].presented += presented;
  groups[name].correct += correct;
}

/** Leaves out groups without occurrences. */
function addTimes(groups: Record<string, Times>, name: string, { ms, count }: Times): void {
  if (count === 0) return;
  groups[name] ??= { ms: 0, count: 0 };
  groups[name].ms += ms;
  groups[name].count += count;
}

/**
 * Population standard deviation of all seek times in ms: sqrt(n Σt² - (Σt)²) / n. If all are similar, the two
 * terms nearly cancel out, so they are subtracted as exact integers.
 */
function standardDeviation(times: readonly Times[], squares: number): number {
  const count = times.reduce((sum, each) => sum + each.count, 0);
  const ms = times.reduce((sum, each) => sum + each.ms, 0);
  if (count === 0) return 0;
  return Math.sqrt(Number(BigInt(count) * BigInt(squares) - BigInt(ms) ** 2n)) / count;
}

function errorPatterns(chapters: readonly Chapter[]) {
  const errors: Record<string, Times> = {};
  for (const [kind, count] of chapters.flatMap(({ keys }) => Object.entries(keys.errors)))
    addTimes(errors, kind, { ms: 0, count });
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
