import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findManyMarks, normalForm } from '../../src/typing/rules/word.ts';

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
