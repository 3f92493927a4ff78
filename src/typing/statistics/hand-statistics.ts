import { fingerOf, isLeftHand, type Layout, rowOf } from '../letters/layout.ts';
import type { Times } from './key-tally.ts';
import { percentage } from './score-statistics.ts';

export interface HandStatistics {
  readonly fingers: Readonly<Record<string, Hits>>;
  readonly rows: Readonly<Record<string, Hits>>;
  readonly hands: { readonly left: number; readonly right: number };
  /** Percentage of bigrams typed with both hands. */
  readonly alternationRate: number;
  readonly sameFinger: Readonly<Times>;
}

/** What the hands did in some chapters. Letters that are not on a layout belong to no finger, row or hand. */
export interface HandSums {
  readonly fingers: Record<string, Hits>;
  readonly rows: Record<string, Hits>;
  readonly presented: { left: number; right: number };
  readonly sameFinger: Times;
  pairs: number;
  alternations: number;
}

export function newHandSums(): HandSums {
  return {
    fingers: {},
    rows: {},
    presented: { left: 0, right: 0 },
    sameFinger: { ms: 0, count: 0 },
    pairs: 0,
    alternations: 0,
  };
}

export function addLetter(sums: HandSums, layout: Layout, letter: string, hits: Hits): void {
  const [finger, row] = [fingerOf(layout, letter), rowOf(layout, letter)];
  if (finger !== undefined) {
    addHits(sums.fingers, String(finger), hits);
    sums.presented[isLeftHand(finger) ? 'left' : 'right'] += hits.presented;
  }
  if (row !== undefined) addHits(sums.rows, String(row), hits);
}

export function addBigram(sums: HandSums, layout: Layout, pair: string, { ms, count }: Times): void {
  sums.pairs += count;
  const [first, second] = [pair.charAt(0), pair.charAt(1)];
  const [a, b] = [fingerOf(layout, first), fingerOf(layout, second)];
  if (a === undefined || b === undefined) return;
  if (isLeftHand(a) !== isLeftHand(b)) sums.alternations += count;
  if (a !== b || first === second) return;
  sums.sameFinger.ms += ms;
  sums.sameFinger.count += count;
}

export function handStatistics(sums: HandSums): HandStatistics {
  const { fingers, rows, presented, sameFinger, pairs, alternations } = sums;
  const all = presented.left + presented.right;
  const left = percentage(presented.left, all);
  return {
    fingers,
    rows,
    hands: all > 0 ? { left, right: 100 - left } : { left: 0, right: 0 },
    alternationRate: percentage(alternations, pairs),
    sameFinger,
  };
}

export interface Hits {
  presented: number;
  correct: number;
}

/** Leaves out groups without occurrences. */
export function addHits(groups: Record<string, Hits>, name: string, { presented, correct }: Hits): void {
  if (presented === 0) return;
  groups[name] ??= { presented: 0, correct: 0 };
  const group = groups[name];
  group.presented += presented;
  group.correct += correct;
}

/** Leaves out groups without occurrences. */
export function addTimes(groups: Record<string, Times>, name: string, { ms, count }: Times): void {
  if (count === 0) return;
  groups[name] ??= { ms: 0, count: 0 };
  const group = groups[name];
  group.ms += ms;
  group.count += count;
}
