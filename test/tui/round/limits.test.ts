import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoundLimits } from '../../../src/tui/round/round-setup.ts';
import { isDone, type RoundView } from '../../../src/tui/round/round-view.ts';
import { scoreOf } from '../../../src/tui/round/scoring.ts';
import { defaultRules, type Rules } from '../../../src/typing/rules/rules.ts';
import { defaultRoundSetup, interruptedOf, noLimits, roundOf, typeText } from './round-picture.ts';

const words = ['the', 'quick', 'brown', 'fox', 'jumps', 'over', 'a', 'lazy', 'dog'];

function limited(limits: Partial<RoundLimits>, rules: Partial<Rules> = {}): RoundView {
  const roundSetup = { ...defaultRoundSetup, limits: { ...noLimits, ...limits } };
  return roundOf(words, { ...defaultRules, ...rules }, roundSetup);
}

describe('a round with a limit', () => {
  test('ends with its first mistake, and accepts no key after it', () => {
    const ended = typeText(limited({ suddenDeath: true }), 'the qx');
    expect(ended.ended).toBe('mistake');
    expect(isDone(ended)).toBe(true);
    expect(typeText(ended, 'u<ick ')).toBe(ended);
  });

  test('ends below its speed, but not in its first five seconds', () => {
    const slow = typeText(limited({ minWpm: 130 }), 'the quick brown fox jumps over a lazy dog ');
    expect(slow.ended).toBeUndefined(); // 119 WPM, and done before the fair start is over
    const slower = (text: string) =>
      [...text].reduce((round, key, at) => typeText(round, key, at * 250), limited({ minWpm: 60 }));
    expect(slower('the quick brown fox ').ended).toBeUndefined();
    expect(slower('the quick brown fox ju').ended).toBe('slow');
  });

  test('ends below its accuracy, but not in its first 25 keys', () => {
    const round = limited({ minAccuracy: 95 });
    expect(typeText(round, 'thx<e quixck brown fox ').ended).toBeUndefined();
    expect(typeText(round, 'thx<e quixck brown fox jumps ov').ended).toBe('inaccurate');
  });

  test('that was reached does not count', () => {
    expect(scoreOf(typeText(limited({ suddenDeath: true }), 'the qx')).verdict).toBe('ended');
  });

  test('restored from its inputs, is ended exactly if it was before', () => {
    const key = fc.constantFrom(...'thequickbrown <');
    const limits = fc.record({
      suddenDeath: fc.boolean(),
      minWpm: fc.constantFrom(0, 30, 120),
      minAccuracy: fc.constantFrom(0, 50, 99),
    });
    fc.assert(
      fc.property(limits, fc.array(key, { maxLength: 120 }), (given, keys) => {
        const round = typeText(limited(given), keys.join(''));
        const again = interruptedOf(round);
        expect([again.ended, again.progress, again.score]).toEqual([
          round.ended,
          round.progress,
          round.score,
        ]);
      }),
    );
  });
});
