import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { quoteText, roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { newHistory } from '../../src/typing/statistics/history.ts';

const material = openLibrary().materialOf(defaultPractice, 1, newHistory());

/** A quote of this many characters, which begins with its length. */
const quoteOf = (length: number) => ({ text: `${length} `.padEnd(length, 'x'), from: 'Nobody' });
const draw = (length: 'short' | 'medium' | 'long' | 'any', lengths: readonly number[], seed: number) =>
  quoteText({ type: 'quote', length }, { ...material, quotes: lengths.map(quoteOf), seed }).words.map(
    wordText,
  );
const drawAll = (length: 'short' | 'medium' | 'long' | 'any', lengths: readonly number[]) =>
  new Set(Array.from({ length: 100 }, (_, seed) => Number(draw(length, lengths, seed)[0])));

it('short quotes have fewer than 100 characters, long ones 300 or more, and each of them is drawn', () => {
  const lengths = [20, 99, 100, 299, 300, 900];
  expect(drawAll('short', lengths)).toEqual(new Set([20, 99]));
  expect(drawAll('medium', lengths)).toEqual(new Set([100, 299]));
  expect(drawAll('long', lengths)).toEqual(new Set([300, 900]));
  expect(drawAll('any', lengths)).toEqual(new Set(lengths));
});

it('each piece of code is drawn, and no other', () => {
  const code = ['one', 'two', 'three', 'four'];
  const practice = { ...defaultPractice, mode: { type: 'code', language: 'typescript' } } as const;
  const drawn = Array.from(
    { length: 50 },
    (_, seed) => roundText(practice, { ...material, code, seed }).words,
  );
  expect(new Set(drawn.flat())).toEqual(new Set(code));
  expect(roundText(practice, { ...material, code: [] }).words).toEqual([]);
});

it('a language without quotes of a length gives any quote, and one without quotes words as sentences', () => {
  expect(drawAll('long', [20, 200])).toEqual(new Set([20, 200]));
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const words = draw('short', [], seed);
      expect(words).toHaveLength(30);
      expect(words[0]).toMatch(/^"?[A-Z]/);
      expect(words.at(-1)).toMatch(/[.!?]$/);
    }),
  );
});
