import { expect, test } from 'vitest';
import { createEarliestClock } from '../../src/server/clocks.ts';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** A process on a machine whose clock is ahead by so many days at its start, and is set to others later. */
function startProcess(ahead: number) {
  let [passed, wrong] = [0, ahead * day];
  const birth = Date.UTC(2026, 0);
  const clock = createEarliestClock(
    () => birth + passed + wrong,
    () => passed,
  );
  return {
    setTo: (days: number) => {
      wrong = days * day;
    },
    /** By how many days the clock is ahead after so many more days, in which it was read every hour. */
    errorAfter: (days: number) => {
      for (const end = passed + days * day; passed < end; passed += day / 24) clock();
      return (clock() - birth - passed) / day;
    },
    /** Whether a round of 1970 is older than a day. */
    isAnythingOld: () => clock() > day,
    wait: (minutes: number) => {
      passed += minutes * minute;
    },
  };
}

test('nothing is old for a process whose clock was ahead at its start, before it is set and after', () => {
  const { isAnythingOld, wait, setTo, errorAfter } = startProcess(500);
  expect(isAnythingOld()).toBe(false);
  wait(9);
  expect(isAnythingOld()).toBe(false);
  setTo(0);
  wait(1);
  expect(isAnythingOld()).toBe(true);
  for (const days of [0, 30]) expect(errorAfter(days)).toBe(0);
});

test('a clock that is set before something is judged by it was never wrong', () => {
  const { wait, setTo, errorAfter } = startProcess(-500);
  errorAfter(0);
  setTo(0);
  wait(10);
  expect(errorAfter(0)).toBe(0);
});

test('a clock that is ahead for some days makes nothing old', () => {
  const { setTo, errorAfter } = startProcess(0);
  errorAfter(1);
  for (const days of [5, 0, 500, 0]) {
    setTo(days);
    expect(errorAfter(6)).toBe(0);
  }
});

test('a clock that is set forwards late is believed after two weeks at the latest', () => {
  const { setTo, errorAfter } = startProcess(-500);
  expect(errorAfter(1)).toBe(-500);
  setTo(0);
  expect(errorAfter(5)).toBe(-500);
  expect(errorAfter(9)).toBe(0);
});
