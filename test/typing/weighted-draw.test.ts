import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRandom,
  drawApart,
  drawIndex,
  shuffle,
  weightedWords,
} from '../../src/typing/choice/random-draw.ts';

const weights = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1_000, noNaN: true })), {
  maxLength: 12,
});
/** Also what only rounding could bring: a point at the very end. */
const points = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0), fc.constant(1));

it('draws only what has a weight, and nothing if nothing has one', () => {
  fc.assert(
    fc.property(weights, points, (weights, point) => {
      const drawn = drawIndex(weights, () => point);
      if (weights.every((weight) => weight === 0)) expect(drawn).toBe(-1);
      else expect(weights[drawn]).toBeGreaterThan(0);
    }),
  );
});

it('draws each index for a share of the points that is its share of the weights', () => {
  const drawn = Array.from({ length: 100 }, (_, at) => drawIndex([10, 0, 30, 60, 0], () => (at + 0.5) / 100));
  expect([0, 1, 2, 3, 4].map((index) => drawn.filter((each) => each === index).length)).toEqual([
    10, 0, 30, 60, 0,
  ]);
});

describe('words drawn apart', () => {
  const names = [...'abcdefghijklmnop'];
  const all = weightedWords(names, new Array(names.length).fill(1));
  /** Also so uneven that the same word would come nearly always. */
  const place = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(1e-3, 1, 3, 1e6)), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map((entries) =>
      weightedWords(
        entries.map(([name]) => name),
        entries.map(([, weight]) => weight),
      ),
    );

  it('come again after the distance at the earliest, and from their place, unless all its words are too recent', () => {
    const wishes = [fc.array(place, { maxLength: 40 }), fc.nat(names.length - 1), fc.nat()] as const;
    fc.assert(
      fc.property(...wishes, (places, distance, seed) => {
        const drawn = drawApart(places, all, createRandom(seed), distance);
        expect(drawn).toHaveLength(places.length);
        for (const [at, word] of drawn.entries()) {
          const recent = drawn.slice(Math.max(0, at - distance), at);
          expect(recent).not.toContain(word);
          const fresh = places[at]?.words.filter((other) => !recent.includes(other)) ?? [];
          expect(fresh.length > 0 ? fresh : names).toContain(word);
        }
      }),
    );
  });

  it('come as often as their weights say, among those that are not too recent', () => {
    const draw = (weights: readonly number[], distance: number) => {
      const words = weightedWords(names.slice(0, weights.length), weights);
      return drawApart(new Array(8_000).fill(words), words, createRandom(1), distance);
    };
    const free = draw([1, 2, 3, 4], 0);
    const sharesOf = (drawn: readonly string[], among: string) =>
      [...among].map((name) => drawn.filter((word) => word === name).length / drawn.length);
    for (const [at, share] of sharesOf(free, 'abcd').entries()) expect(share).toBeCloseTo((at + 1) / 10, 1);
    const [a, b, c] = sharesOf(draw([1, 1e9, 3], 1), 'abc');
    expect([a, b, c]).toEqual([0.125, 0.5, 0.375].map((share) => expect.closeTo(share, 1)));
  });
});

it('a shuffle brings every order equally often', () => {
  const random = createRandom(1);
  const orders = Array.from({ length: 6_000 }, () => shuffle([...'abc'], random).join(''));
  const counts = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'].map(
    (order) => orders.filter((each) => each === order).length,
  );
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
});
