import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toWholeShares } from '../../../../src/tui/text/figures/whole-shares.ts';

test('the shares of both hands add up to 100, each at most half a percent from the exact one', () => {
  expect(toWholeShares({ left: 60.5, right: 39.5 })).toEqual({ left: 61, right: 39 });
  expect(toWholeShares({ left: 0, right: 0 })).toEqual({ left: 0, right: 0 });
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), (lefts, rights) => {
      fc.pre(lefts + rights > 0);
      const left = (100 * lefts) / (lefts + rights);
      const whole = toWholeShares({ left, right: (100 * rights) / (lefts + rights) });
      expect(Math.abs(whole.left - left)).toBeLessThanOrEqual(0.5);
      expect(whole.left + whole.right).toBe(rights === 0 ? whole.left : 100);
    }),
  );
});
