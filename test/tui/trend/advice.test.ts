import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoricalStatistics } from '../../../src/contract/statistics-types.ts';
import { letters } from '../../../src/tui/round/keyboard.ts';
import { toAdviceText } from '../../../src/tui/text/advice-text.ts';
import { toAdvice } from '../../../src/tui/trend/advice.ts';
import { history as sample } from '../screens/sample.ts';

/** An even typist: 98 % and 150 ms on every letter, each met 100 times; then some letters otherwise. */
function typist(
  others: Record<string, { correct?: number; presented?: number; ms?: number }> = {},
): HistoricalStatistics {
  const accuracy = letters.map((letter) => {
    const { presented = 100, correct = Math.round(presented * 0.98) } = others[letter] ?? {};
    return [letter, { presented, correct }];
  });
  const times = letters.map((letter) => {
    const { presented = 100, ms = 150 } = others[letter] ?? {};
    return [letter, { total_time_ms: presented * ms, count: presented }];
  });
  return {
    ...sample,
    error_patterns: [{ expected: 'b', typed: 'v', count: 9 }],
    letter_accuracy: Object.fromEntries(accuracy),
    letter_seek_time: Object.fromEntries(times),
  };
}

describe('what to practise next', () => {
  test('is not given for too few rounds', () => {
    const beginner = {
      ...typist(),
      letter_accuracy: { a: { presented: 20, correct: 10 } },
      total_sessions: 1,
    };
    expect(toAdvice(beginner)).toEqual({ kind: 'too-few', rounds: 1 });
    expect(toAdviceText(toAdvice(beginner))).toBe(
      'A few more rounds, and this line tells you what to practise.',
    );
  });

  test('is nothing in particular for an even typist', () => {
    expect(toAdviceText(toAdvice(typist()))).toBe(
      'No letter stands out: you are even at 98 %. Try a little faster.',
    );
  });

  test('is the missed letter, with what is typed instead', () => {
    expect(toAdviceText(toAdvice(typist({ b: { correct: 80 } })))).toBe(
      'Practise b: right 80 % of 100 times (all letters 97 %), often v instead.',
    );
  });

  test('is the slow letter, with its accuracy if that is low too', () => {
    expect(toAdviceText(toAdvice(typist({ p: { ms: 400 } })))).toBe(
      'Practise p: 400 ms (all letters 160 ms).',
    );
    expect(toAdviceText(toAdvice(typist({ b: { ms: 400, correct: 90 } })))).toBe(
      'Practise b: 400 ms (all letters 160 ms); right only 90 %, often v instead.',
    );
  });

  test('is what gains most: a slightly slow common letter before a much slower rare one', () => {
    const advice = toAdvice(typist({ e: { presented: 800, ms: 190 }, z: { presented: 20, ms: 400 } }));
    expect(advice).toMatchObject({ letter: 'e', reason: 'slow' });
  });

  test('never names a letter that hardly came', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 14 }), fc.nat(14), (presented, correct) => {
        const advice = toAdvice(
          typist({ q: { presented, correct: Math.min(presented, correct), ms: 4000 } }),
        );
        expect(advice).not.toMatchObject({ letter: 'q' });
      }),
    );
  });

  test('fits into a row of 78 columns, whatever the figures', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...letters),
        fc.nat(100),
        fc.integer({ min: 1, max: 4999 }),
        (letter, correct, ms) => {
          expect(toAdviceText(toAdvice(typist({ [letter]: { correct, ms } }))).length).toBeLessThanOrEqual(
            78,
          );
        },
      ),
    );
  });
});
