import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerNumbers, letters, toFinger } from '../../../src/tui/round/keyboard.ts';
import { newLocalRound } from '../../../src/tui/round/round.ts';
import { summarizeRound } from '../../../src/tui/round/round-summary.ts';
import { toScore } from '../../../src/tui/round/scoring.ts';
import { toSpeedSeries } from '../../../src/tui/round/speed-series.ts';
import { fingerOf, qwerty } from '../../../src/typing/letters/layout.ts';
import { typeRound, typeText } from './round-picture.ts';

describe('the summary of a round', () => {
  test('counts letters by their first keystroke, and times of right ones inside a word', () => {
    const { letters: sums, errors } = summarizeRound(typeRound(['tea', 'tee'], 'tx<ea tee '));
    expect(sums.t).toEqual({ presented: 2, correct: 2, seekMs: 0, seekCount: 0 });
    expect(sums.e).toEqual({ presented: 3, correct: 2, seekMs: 300, seekCount: 3 });
    expect(errors).toEqual({ 'e>x': 1 });
  });

  test('counts a space in place of a letter as a miss, but not as a confusion of letters', () => {
    const { letters: sums, errors } = summarizeRound(typeRound(['tea'], 't #tea '));
    expect(sums.e).toMatchObject({ presented: 1, correct: 0 });
    expect(errors).toEqual({});
  });

  test('counts wrong keys for and with signs, which the session API leaves out; a wrong case is none', () => {
    const { errors } = summarizeRound(typeRound(['No,', '42', "it's"], 'no. 4z it;s '));
    expect(errors).toEqual({ ',>.': 1, '2>z': 1, "'>;": 1 });
  });
});

test('agrees with the server on the finger of every letter', () => {
  for (const letter of letters) expect(toFinger(letter)).toBe(fingerOf(qwerty, letter));
  expect(letters).toHaveLength(26);
  expect(new Set(letters.map(toFinger))).toEqual(new Set(fingerNumbers));
});

describe('the speed over a round', () => {
  test('is even for an even typist, and right in height', () => {
    const words = Array.from({ length: 20 }, () => 'abcde');
    const series = toSpeedSeries(typeRound(words, `${words.join(' ')} `), 10);
    // ten keys a second, spaces included: 120 WPM
    for (const { wpm } of series) expect(wpm).toBeGreaterThan(108);
    for (const { wpm } of series) expect(wpm).toBeLessThan(132);
    expect(series.every(({ errors }) => errors === 0)).toBe(true);
  });

  test('shows where the errors were', () => {
    const round = typeRound(['abcde', 'abcde'], 'abcde abcxx ');
    const marks = toSpeedSeries(round, 11).map(({ errors }) => errors);
    expect(marks).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  test('has every error in exactly one column', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.stringMatching(/^a[ax]{0,60}$/), (columns, text) => {
        const round = typeText(newLocalRound(['a'.repeat(70), 'b']), text);
        const errors = toSpeedSeries(round, columns).reduce((sum, column) => sum + column.errors, 0);
        expect(errors).toBe(round.active === 0 ? 0 : round.score.totalKeys - round.score.correctKeys);
      }),
    );
  });

  test('is that of the result: every character left in the text counts, right or wrong, and no deleted one', () => {
    const words = Array.from({ length: 12 }, () => 'abcde');
    const texts = fc.array(fc.constantFrom('abcde ', 'xxxxx ', 'abxde ', 'abxx<<cde ', 'abc#abcde '), {
      minLength: 11,
      maxLength: 11,
    });
    fc.assert(
      fc.property(texts, (all) => {
        const round = typeRound(words, `abcde ${all.join('')}`);
        const [whole] = toSpeedSeries(round, 1);
        const { standardWpm, seconds } = toScore(round);
        // The keys at the two ends are in the one and not in the other.
        expect(Math.abs((whole?.wpm ?? 0) - standardWpm)).toBeLessThanOrEqual((2 / 5 / seconds) * 60);
      }),
    );
  });

  test('does not exist for a round without time', () => {
    expect(toSpeedSeries(newLocalRound(['a']), 10)).toEqual([]);
  });
});
