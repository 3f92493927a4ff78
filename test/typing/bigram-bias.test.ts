import { expect, it } from 'vitest';
import { bigramBias, slowPairs } from '../../src/typing/choice/weaknesses.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { chaptersOf, foldRounds, newHistory } from '../../src/typing/statistics/history.ts';

const words = ['than', 'other', 'queen', 'under'];

/** A round in which the second letter of one pair takes 400 ms, and every other key 150 ms. */
function round(id: number, slow: string, mode = 'words-30'): FinishedRound {
  const typed = words.flatMap((word) =>
    [...`${word} `].map((key, at) => ({ key, ms: word.slice(at - 1, at + 1) === slow ? 400 : 150 })),
  );
  return {
    id: String(id),
    words,
    keys: typed.map(({ key }) => key),
    seekTimes: typed.map(({ ms }) => ms),
    timing: { start: 0, end: 60_000, duration: 60_000 },
    mode,
  };
}

/** So many rounds in which these pairs were slow, one after the other. */
function slowPairsAfter(...parts: readonly (readonly [slow: string, rounds: number, mode?: string])[]) {
  const rounds = parts.flatMap(([slow, count, mode]) =>
    Array.from({ length: count }, (_, at) => round(at, slow, mode)),
  );
  return slowPairs(chaptersOf(foldRounds(newHistory(), rounds))).pairs;
}

it('is about the pair that is slow', () => {
  const pairs = slowPairsAfter(['qu', 10]);
  expect(pairs[0]).toMatchObject({ pair: 'qu' });
  expect(pairs[0]?.ms).toBeCloseTo(400, 6);
});

it('has no pairs and a mean of 0 before anything was typed', () => {
  expect(slowPairs([])).toEqual({ pairs: [], mean: 0 });
});

it('forgets: of two pairs, the one that is slow now comes first, however long the other one was slow', () => {
  const pairs = slowPairsAfter(['qu', 200], ['ee', 30]);
  expect(pairs.map(({ pair }) => pair)).toEqual(['ee', 'qu']);
  // 30 rounds leave 2^-1.5 of the weight, so this much of a mean of 400 ms and 150 ms is old.
  expect(pairs[1]?.ms).toBeCloseTo(150 + 250 * 2 ** -1.5, 0);
});

it('remembers what was slow before a pause: only rounds of the same mode make it older', () => {
  const [before] = slowPairsAfter(['qu', 30]);
  const [after] = slowPairsAfter(['qu', 30], ['', 30, 'time-60']);
  const [faded] = slowPairsAfter(['qu', 30], ['', 30]);
  expect(before?.ms).toBeCloseTo(400, 6);
  expect(after?.ms).toBeGreaterThan(faded?.ms ?? Number.NaN);
});

it('prefers the slowest pairs most, and nothing if no pair is slow', () => {
  const bias = bigramBias(slowPairsAfter(['qu', 30], ['ee', 20]));
  expect(bias.size).toBe(2);
  expect(bias.get('ee')).toBeGreaterThan(bias.get('qu') ?? Number.NaN);
  expect(bigramBias(slowPairsAfter(['', 10]))).toEqual(new Map());
});
