import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adviceText, gradeOf, type Letters, limitsOf } from '../../../src/tui/progress/letters.ts';

const alphabet = [...'abcdefghijklmnopqrstuvwxyzäöü'];

type Other = { correct?: number; presented?: number; ms?: number };

/** An even typist: 98 % and 150 ms on every letter, each met 100 times; then some letters otherwise. */
function typist(others: Record<string, Other> = {}, usualMs = 150): Letters {
  return new Map(
    alphabet.map((letter) => {
      const { presented = 100, correct = Math.round(presented * 0.98), ms = usualMs } = others[letter] ?? {};
      return [letter, { presented, correct, seekMs: presented * ms, seekCount: presented }];
    }),
  );
}

const errors = [{ wanted: 'b', typed: 'v', count: 9 }];
const textFor = (letters: Letters) => adviceText(letters, errors);

describe('what to practise next', () => {
  test('is not given for too few letters', () => {
    const beginner = new Map([['a', { presented: 20, correct: 10, seekMs: 2000, seekCount: 20 }]]);
    expect(textFor(beginner)).toMatch(/^Play a few more rounds/);
  });

  test('is nothing in particular for an even typist', () => {
    expect(textFor(typist())).toBe('No letter stands out: your accuracy is 98 %. Try a little faster.');
  });

  test('is the missed letter, with what is typed instead, in any alphabet', () => {
    expect(textFor(typist({ b: { correct: 80 } }))).toMatch(/^Practise b: right 80 % .*, often v instead\.$/);
    expect(textFor(typist({ ö: { correct: 70 } }))).toMatch(/^Practise ö: right 70 %/);
  });

  test('is the letter that gains most: a slightly slow common one before a much slower rare one', () => {
    const letters = typist({ e: { presented: 800, ms: 190 }, z: { presented: 20, ms: 400 } });
    expect(textFor(letters)).toMatch(/^Practise e: 190 ms/);
  });

  test('never names a letter that hardly occurred', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 14 }), fc.nat(14), (presented, correct) => {
        const letters = typist({ q: { presented, correct: Math.min(presented, correct), ms: 4000 } });
        expect(textFor(letters)).not.toContain('Practise q');
      }),
    );
  });

  test('fits into a row of 78 columns, whatever the figures', () => {
    const figures = fc.tuple(fc.constantFrom(...alphabet), fc.nat(100), fc.integer({ min: 1, max: 4999 }));
    fc.assert(
      fc.property(figures, ([letter, correct, ms]) => {
        expect(textFor(typist({ [letter]: { correct, ms } })).length).toBeLessThanOrEqual(78);
      }),
    );
  });
});

test('the colours of speeds compare with the typist: the same hands at half the speed have the same colours', () => {
  for (const usual of [60, 120, 240]) {
    const letters = typist({ q: { ms: usual * 2 }, e: { ms: usual * 0.7 } }, usual);
    const grade = (ms: number) => gradeOf(ms, 'speed', limitsOf(letters, 'speed'));
    expect([grade(usual * 2), grade(usual), grade(usual * 0.7)]).toEqual([1, 3, 4]);
  }
});
