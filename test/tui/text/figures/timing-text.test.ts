import { expect, it } from 'vitest';
import { perfectTiming } from '../../../../src/tui/input/key-timing.ts';
import { toTimingParts } from '../../../../src/tui/text/figures/timing-text.ts';

it('says in plain words how many keys have a time, and how many came with others', () => {
  expect(toTimingParts(perfectTiming, true)).toEqual(['every key timed', 'no delay']);
  const one = { ...perfectTiming, unmeasured: 1, together: 1 };
  expect(toTimingParts(one, true)).toEqual(['1 key not timed', '1 key arrived with another', 'no delay']);
  const many = { ...perfectTiming, unmeasured: 43, together: 5, largestStall: 12 };
  expect(toTimingParts(many, true)).toEqual([
    '43 keys not timed',
    '5 keys arrived with others',
    'longest delay 12 ms',
  ]);
});
