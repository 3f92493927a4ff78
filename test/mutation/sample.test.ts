import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choose, pick, toInterval } from './sample.ts';

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => String(at));

test('the same seed draws the same mutants, each once, and never more than there are', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer(), fc.nat(300), (count, seed, to) => {
      const ids = idsOf(count);
      const picked = pick(ids, { seed, from: 0, to });
      expect(picked).toEqual(pick([...ids].reverse(), { seed, from: 0, to }));
      expect(picked.size).toBe(Math.min(count, to));
      for (const id of picked) expect(ids).toContain(id);
    }),
  );
});

test('the parts of a sample are together what is drawn at once', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.integer(), fc.nat(100), fc.nat(100), (count, seed, from, more) => {
      const ids = idsOf(count);
      const parts = [pick(ids, { seed, from: 0, to: from }), pick(ids, { seed, from, to: from + more })];
      expect(parts.flatMap((part) => [...part])).toEqual([...pick(ids, { seed, from: 0, to: from + more })]);
    }),
  );
});

test('instead of a sample, mutants can be chosen by their ids', () => {
  expect(choose(idsOf(20), ['3', '17'])).toEqual(new Set(['3', '17']));
  const sample = { seed: 7, from: 0, to: 5 };
  expect(choose(idsOf(20), sample)).toEqual(pick(idsOf(20), sample));
});

test('every mutant is drawn about equally often', () => {
  const times = new Map<string, number>();
  for (let seed = 0; seed < 1000; seed++) {
    for (const id of pick(idsOf(20), { seed, from: 0, to: 5 })) times.set(id, (times.get(id) ?? 0) + 1);
  }
  expect(times.size).toBe(20);
  // 250 each, and a standard deviation of 14.
  for (const count of times.values()) expect(Math.abs(count - 250)).toBeLessThan(60);
});

// From Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I.
test.each([
  { noticed: 81, size: 263, least: 0.2553, most: 0.3662 },
  { noticed: 15, size: 148, least: 0.0624, most: 0.1605 },
  { noticed: 0, size: 20, least: 0, most: 0.1611 },
  { noticed: 1, size: 29, least: 0.0061, most: 0.1718 },
])('the interval of Wilson for $noticed of $size is the published one', ({ noticed, size, least, most }) => {
  const [low, high] = toInterval(noticed, size);
  expect(low).toBeCloseTo(least, 4);
  expect(high).toBeCloseTo(most, 4);
});
