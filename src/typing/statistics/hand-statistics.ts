import { fingerOf, isLeftHand, type Layout, rowOf } from '../letters/layout.ts';
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

/** The fingers of a layout by code point, so that looking up a bigram makes no strings of its letters. */
export type Fingers = ReadonlyMap<number, number>;

export function fingersByCode({ fingers }: Layout): Fingers {
  return new Map(
    Object.entries(fingers)
      .filter(([letter]) => [...letter].length === 1)
      .map(([letter, finger]) => [letter.codePointAt(0) as number, finger]),
  );
}

export function addBigram(sums: HandSums, fingers: Fingers, pair: string, { ms, count }: Times): void {
  sums.pairs += count;
  const first = pair.codePointAt(0) ?? 0;
  const second = pair.codePointAt(first > 0xffff ? 2 : 1) ?? 0;
  const [a, b] = [fingers.get(first), fingers.get(second)];
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

export interface Times {
  ms: number;
  count: number;
}

/** Leaves out groups that never came. */
export function addHits(groups: Record<string, Hits>, name: string, { presented, correct }: Hits): void {
  if (presented === 0) return;
  groups[name] ??= { presented: 0, correct: 0 };
  const group = groups[name];
  group.presented += presented;
  group.correct += correct;
}

/** Leaves out groups that never came. */
export function addTimes(groups: Record<string, Times>, name: string, ms: number, count: number): void {
  if (count === 0) return;
  groups[name] ??= { ms: 0, count: 0 };
  const group = groups[name];
  group.ms += ms;
  group.count += count;
}
