import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawIndex } from '../../src/typing/choice/random-draw.ts';

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
