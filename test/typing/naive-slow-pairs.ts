// A second computation of what a drill on bigrams is about, from the raw events alone; see `naive-statistics.ts`.

import { expect } from 'vitest';
import type * as answers from '../../src/contract/answer-types.ts';
import { kindOf, pairsOf, type RawRound, sessionOf } from './naive-statistics.ts';

type Told = NonNullable<answers.Round['focus']>;

interface NaivePairs {
  readonly average: number;
  /** By pair: its mean time, and the time that it takes above the average, with five times at the average added. */
  readonly pairs: ReadonlyMap<string, { readonly ms: number; readonly gain: number }>;
}

/** A round weighs half as much as one of its kind that was typed twenty rounds later. Rounds in the order they were finished. */
export function naiveSlowPairs(all: readonly RawRound[]): NaivePairs {
  const rounds = all.filter((round) => sessionOf(round).counts);
  const typed = rounds.flatMap((round, at) => {
    const later = rounds.slice(at + 1).filter((other) => isSameKind(round, other)).length;
    const weight = 0.5 ** ((1 + later) / 20);
    return pairsOf(round).map(([a, b]) => ({ name: a.wanted + b.wanted, ms: b.ms, weight }));
  });
  const average = averageOf(typed);
  const names = [...new Set(typed.map(({ name }) => name))];
  const pairs = names.map((name) => {
    const own = typed.filter((each) => each.name === name);
    const count = own.reduce((sum, { weight }) => sum + weight, 0);
    const ms = averageOf(own);
    const credited = averageOf([...own, { ms: average, weight: 5 }]);
    return [name, { ms, gain: count * (credited - average) }] as const;
  });
  return { average, pairs: new Map(pairs) };
}

function isSameKind(a: RawRound, b: RawRound): boolean {
  const [first, second] = [kindOf(a), kindOf(b)];
  return (
    first.modeName === second.modeName &&
    first.language === second.language &&
    first.layout.id === second.layout.id
  );
}

function averageOf(times: readonly { readonly ms: number; readonly weight: number }[]): number {
  const weights = times.reduce((sum, { weight }) => sum + weight, 0);
  return weights === 0 ? 0 : times.reduce((sum, { ms, weight }) => sum + weight * ms, 0) / weights;
}

/** Expects the slowest pairs, as many as asked for at most. Pairs that gain the same may come in any order, or not at all. */
export function expectSlowest(told: Told, { average, pairs }: NaivePairs, most: number): void {
  const tiny = 2e-6;
  const gains = [...pairs.values()].map(({ gain }) => gain).sort((a, b) => b - a);
  const own = told.map(({ text }) => pairs.get(text));
  expect(told.length).toBeLessThanOrEqual(most);
  for (const [at, { ms, target_ms }] of told.entries()) {
    expect(ms).toBeCloseTo(own[at]?.ms ?? Number.NaN, 6);
    expect(target_ms).toBeCloseTo(average, 6);
    expect(own[at]?.gain).toBeCloseTo(gains[at] ?? Number.NaN, 6);
  }
  if (told.length < most) expect(gains[told.length] ?? 0).toBeLessThan(tiny);
}
