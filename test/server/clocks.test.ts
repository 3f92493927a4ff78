import { expect, test } from 'vitest';
import { createEarliestClock } from '../../src/server/clocks.ts';

const day = 24 * 60 * 60 * 1000;

/** A machine whose clock is wrong by so many days at the start, and set to other ones on the days that follow. */
function machine(ahead: number) {
  let [passed, wrong] = [0, ahead * day];
  const clock = createEarliestClock(
    () => passed + wrong,
    () => passed,
  );
  /** By how many days the clock is ahead once so many days have passed, read once a day. */
  const errorAfter = (days: number) => {
    for (let past = 0; past < days; past += 1) {
      passed += day;
      clock();
    }
    return (clock() - passed) / day;
  };
  const setTo = (days: number) => {
    wrong = days * day;
  };
  return { errorAfter, setTo };
}

test('a clock that was ahead at the start is right as soon as it is set', () => {
  const { errorAfter, setTo } = machine(500);
  expect(errorAfter(0)).toBe(500);
  setTo(0);
  expect(errorAfter(0)).toBe(0);
  expect(errorAfter(30)).toBe(0);
});

test('a clock that is ahead for some days makes nothing old', () => {
  const { errorAfter, setTo } = machine(0);
  for (const days of [5, 0, 500, 0]) {
    setTo(days);
    expect(errorAfter(6)).toBe(0);
  }
});

test('a clock that was behind at the start is believed after two weeks at the latest', () => {
  const { errorAfter, setTo } = machine(-500);
  expect(errorAfter(0)).toBe(-500);
  setTo(0);
  expect(errorAfter(6)).toBe(-500);
  expect(errorAfter(9)).toBe(0);
});
