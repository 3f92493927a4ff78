import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { problemOfText } from '../../src/typing/modes/text.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { findManyMarks, normalForm, wordsOf, wordText } from '../../src/typing/rules/word.ts';

afterEach(() => vi.restoreAllMocks());

/** What takes longest: marks that all have to change places. */
const unordered = `a${'\u0301'.repeat(5_000)}${'\u0323'.repeat(4_980)}`;

it('is that of Unicode for any text with no more combining marks in a row than a key can type', () => {
  const marks = ['\u0301', '\u0323', '\u0301\u0323', '\u0f73'];
  const units = fc.constantFrom('a', 'e\u0301', '\u212b', 'й', ' ', ...marks);
  fc.assert(
    fc.property(fc.array(units, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const isLong = /\p{M}{32}/u.test(text);
      expect(findManyMarks(text) >= 0).toBe(isLong);
      expect(normalForm(text)).toBe(isLong ? text : text.normalize('NFC'));
    }),
    { numRuns: 500 },
  );
  expect([
    findManyMarks(`q a${'\u0301'.repeat(31)} b`),
    findManyMarks(`q a${'\u0301'.repeat(32)} b`),
  ]).toEqual([-1, 3]);
  // Two units each: a mark counts as one.
  expect(findManyMarks(`a${'\u{1d165}'.repeat(31)}`)).toBe(-1);
});

it('is not computed for many marks in a row, because ordering them takes quadratic time', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(problemOfText(`one ${unordered}`)).toBe('holds a character in its word 2 that no key types');
  expect(wordsOf(['b\u0323', unordered]).map(wordText)).toEqual(['ḅ', unordered]);
  expect(newInput(unordered).key).toBe(unordered);
  const longest = normalize.mock.contexts.map((text) => /\p{M}{32}/u.test(String(text)));
  expect(longest.length).toBeGreaterThan(0);
  expect(longest).not.toContain(true);
});
