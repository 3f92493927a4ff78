import { describe, expect, test } from 'vitest';
import {
  elapsed,
  endedByTime,
  isIdle,
  isTimeUp,
  nextTick,
  pausedRound,
  type RoundView,
  timingOf,
} from '../../../src/tui/round/round-view.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { defaultRoundSetup, roundOf, typeText } from './round-picture.ts';

const words = ['the', 'cat', 'sat'];
const roundSetup = { ...defaultRoundSetup, mode: { type: 'time', seconds: 15 } } as const;

/** A round of 15 seconds in which `text` was typed, the first key at 0 ms and one each 100 ms. */
function typeTimed(text: string, rules: Rules = defaultRules): RoundView {
  return typeText(roundOf(words, rules, roundSetup), text);
}

describe('the countdown of a timed round', () => {
  test.each([
    ['one wrong key', '%'],
    ['a whole word of wrong keys', '%%%%'],
    ['a wrong key that was deleted', '%<'],
  ])('waits after %s', (_, text) => {
    const round = typeTimed(text);
    expect(isTimeUp(round, 60_000)).toBe(false);
    expect(elapsed(round, 60_000)).toBe(0);
    expect(nextTick(round, 60_000)).toBeUndefined();
  });

  test('waits behind a wrong key that a rule keeps out of the word', () => {
    expect(isTimeUp(typeTimed('%', { ...defaultRules, stop_on: 'letter' }), 60_000)).toBe(false);
  });

  test.each([
    ['the first letter', '%<', 't'],
    ['a later letter, where the first one stays wrong', '%', 'h'],
  ])('has its full time from the first right key: %s', (_, before, right) => {
    const round = typeText(typeTimed(before), right, 20_000);
    expect(elapsed(round, 20_000)).toBe(0);
    expect(isTimeUp(round, 34_999)).toBe(false);
    expect(isTimeUp(round, 35_000)).toBe(true);
    expect(timingOf(endedByTime(round))).toEqual({
      start: 1_020_000,
      end: 1_035_000,
      duration: 15_000,
    });
  });

  test('runs once the first word is left, even if no letter of it was right', () => {
    const round = typeTimed('xxx ');
    expect(isTimeUp(round, 15_299)).toBe(false);
    expect(isTimeUp(round, 15_300)).toBe(true);
  });
});

describe('a round without a time limit that nobody types for 20 seconds', () => {
  const round = typeText(roundOf(words), 'the c');

  test('is idle since its last key: none of that time counts', () => {
    expect(isIdle(round, 20_399)).toBe(false);
    expect(elapsed(round, 20_399)).toBe(20_399);
    expect(isIdle(round, 20_400)).toBe(true);
    expect(elapsed(round, 20_400)).toBe(400);
    expect(pausedRound(round, 430_000).active).toBe(400);
  });

  test('continues with the next key, which is typed but not measured, even if no clock has paused it', () => {
    const paused = pausedRound(round, 20_400);
    for (const before of [round, paused]) {
      const resumed = typeText(before, 'at', 430_000);
      expect(resumed.progress.input).toEqual(['c', 'a', 't']);
      expect(resumed.log.slice(-3).map(({ ms }) => ms)).toEqual([100, 0, 100]);
      expect(resumed.active).toBe(500);
      expect(timingOf(typeText(resumed, ' sat', 430_200)).duration).toBe(900);
    }
  });

  test('has its clock tick at that moment, a moving mark or not, and never again', () => {
    expect(nextTick(round, 5400)).toBe(15_000);
    expect(nextTick(round, 20_300, true)).toBe(100);
    expect(nextTick(round, 20_400, true)).toBe(0);
    expect(nextTick(pausedRound(round, 20_400), 20_400)).toBeUndefined();
    expect(nextTick(roundOf(words), 60_000)).toBeUndefined();
  });
});
