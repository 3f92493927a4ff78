import { expect, it } from 'vitest';
import { type DrilledPair, isReached } from '../../../src/tui/round/drill-times.ts';

const pair: DrilledPair = { pair: 'ke', count: 3, ms: 90, isInWords: true, beforeMs: 101, targetMs: 95 };

it('a target is reached by three presses that are fast enough on average, not by fewer', () => {
  expect(isReached(pair)).toBe(true);
  expect(isReached({ ...pair, ms: 96 })).toBe(false);
  for (const count of [0, 1, 2]) expect(isReached({ ...pair, count })).toBe(false);
});
