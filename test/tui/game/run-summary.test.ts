import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addKeys, newKeyTally } from '../../../src/server/typing/key-tally.ts';
import { fingerOf } from '../../../src/server/typing/keyboard.ts';
import { fingerNumbers, letters, toFinger } from '../../../src/tui/game/keyboard.ts';
import { isComplete, newRun } from '../../../src/tui/game/run.ts';
import { summarizeRun } from '../../../src/tui/game/run-summary.ts';
import { toSpeedSeries } from '../../../src/tui/game/speed-series.ts';
import { typeRound, typeText } from './run-picture.ts';

describe('the summary of a run', () => {
  test('counts letters at their first keystroke, and times of right ones inside a word', () => {
    const { letters: sums, errors } = summarizeRun(typeRound(['tea', 'tee'], 'tx<ea tee '));
    expect(sums.t).toEqual({ presented: 2, correct: 2, seekMs: 0, seekCount: 0 });
    expect(sums.e).toEqual({ presented: 3, correct: 2, seekMs: 300, seekCount: 3 });
    expect(errors).toEqual({ 'e>x': 1 });
  });

  test('a space in place of a letter is an error like any other', () => {
    expect(summarizeRun(typeRound(['tea'], 't #tea ')).errors).toEqual({ 'e> ': 1 });
  });

  test('says what the server says, whatever was typed', () => {
    const anyRun = fc
      .tuple(
        fc.array(fc.stringMatching(/^[a-e]{1,5}[,.!]?$/), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom('a', 'b', 'c', ' ', '<', '#', 'é'), { maxLength: 40 }),
      )
      .map(([words, keys]) => {
        const begun = typeText(newRun(words), keys.join(''));
        const rest = words.slice(begun.wordIndex).map((word) => `${word} `);
        return isComplete(begun) ? begun : typeText(begun, `#${rest.join('')}`, 100_000);
      });
    fc.assert(
      fc.property(anyRun, (run) => {
        const tally = newKeyTally();
        addKeys(tally, {
          words: run.words,
          keys: run.inputs.map(({ type, char }) =>
            type === 'keystroke' ? char : type === 'space' ? ' ' : '\b',
          ),
          seekTimes: run.inputs.map(({ seek }) => seek),
        });
        const summary = summarizeRun(run);
        for (const [at, letter] of letters.entries()) {
          const expected = {
            presented: tally.presented[at],
            correct: tally.correct[at],
            seekMs: tally.seekMs[at],
            seekCount: tally.seekCount[at],
          };
          expect(summary.letters[letter] ?? { presented: 0, correct: 0, seekMs: 0, seekCount: 0 }).toEqual(
            expected,
          );
        }
        const errors = Object.entries(summary.errors).map(([pair, count]) => [pair.replace('>', ''), count]);
        expect(Object.fromEntries(errors)).toEqual(tally.errors);
      }),
    );
  });
});

test('the client and the server agree on the finger of every letter', () => {
  for (const [at, letter] of letters.entries()) expect(toFinger(letter)).toBe(fingerOf(at));
  expect(letters).toHaveLength(26);
  expect(new Set(letters.map(toFinger))).toEqual(new Set(fingerNumbers));
});

describe('the speed over a run', () => {
  test('is even for an even typist, and right in height', () => {
    const words = Array.from({ length: 20 }, () => 'abcde');
    const series = toSpeedSeries(typeRound(words, `${words.join(' ')} `), 10);
    // ten keys a second, five of six of them letters: 100 WPM
    for (const { wpm } of series) expect(wpm).toBeGreaterThan(90);
    for (const { wpm } of series) expect(wpm).toBeLessThan(115);
    expect(series.every(({ errors }) => errors === 0)).toBe(true);
  });

  test('shows where the errors were', () => {
    const run = typeRound(['abcde', 'abcde'], 'abcde abcxx ');
    const marks = toSpeedSeries(run, 11).map(({ errors }) => errors);
    expect(marks).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  test('every error is in exactly one column', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.stringMatching(/^a[ax]{0,60}$/), (columns, text) => {
        const run = typeText(newRun(['a'.repeat(70), 'b']), text);
        const errors = toSpeedSeries(run, columns).reduce((sum, column) => sum + column.errors, 0);
        expect(errors).toBe(run.active === 0 ? 0 : run.total - run.correct);
      }),
    );
  });

  test('of a run without time there is none', () => {
    expect(toSpeedSeries(newRun(['a']), 10)).toEqual([]);
  });
});
