import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWordList } from '../../src/server/typing/library.ts';
import { sentencesFrom } from '../../src/typing/choice/sentences.ts';
import { createWordChooser } from '../../src/typing/choice/word-choice.ts';
import { english } from '../../src/typing/letters/language.ts';

const list = readWordList();
const known = new Set(list);
const choose = createWordChooser(list);
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const biases = fc
  .dictionary(
    fc.constantFrom(...english.alphabet, 'th', 'qu', 'about'),
    fc.double({ min: 0, max: 1.5, noNaN: true }),
  )
  .map((entries) => new Map(Object.entries(entries)));

/** Words that come again within the next 14. */
const tooSoon = (words: readonly string[]) =>
  words.filter((word, at) => words.slice(at + 1, at + 15).includes(word));

describe('a choice of words', () => {
  it('has 30 words of the list, 150 letters and no word again within 14, for every seed and bias', () => {
    fc.assert(
      fc.property(seeds, biases, (seed, bias) => {
        const words = choose({ seed, bias });
        expect(words).toHaveLength(30);
        expect(words.join('')).toHaveLength(150);
        expect(words.filter((word) => !known.has(word))).toEqual([]);
        expect(tooSoon(words)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('has as many words as requested, about five letters each, and none again too soon', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 10, max: 500 }), (seed, count) => {
        const words = choose({ seed, count });
        expect(words).toHaveLength(count);
        expect(words.join('').length).toBe(5 * count);
        expect(tooSoon(words)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('brings frequent words more often than rare ones, but also rare ones', () => {
    const met = Array.from({ length: 500 }, (_, seed) => choose({ seed })).flat();
    const ranks = new Map(list.map((word, rank) => [word, rank]));
    const from = (low: number, high: number) =>
      met.filter((word) => (ranks.get(word) as number) >= low && (ranks.get(word) as number) < high).length;
    expect(from(0, 500)).toBeGreaterThan(2 * from(list.length - 500, list.length));
    expect(from(list.length - 500, list.length)).toBeGreaterThan(33);
  });

  it.each(['e', 'z', 'th', 'ing'])('brings more of %s the more it is preferred', (part) => {
    const shareAt = (strength: number) => {
      const bias = new Map(
        part === 'ing'
          ? [
              ['in', strength],
              ['ng', strength],
            ]
          : [[part, strength]],
      );
      const text = Array.from({ length: 60 }, (_, seed) => choose({ seed, bias }).join(' ')).join(' ');
      return text.split(part).length - 1;
    };
    const counts = [0, 0.8, 1.6].map(shareAt);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[2]).toBeGreaterThan(1.5 * (counts[0] as number));
  });

  it('has words of each length as often as they are weighted in the list, as far as five letters on average allow', () => {
    const lengths = [4, 5, 12];
    const letters = 'abcdefghijklmnopqrst';
    const list = [...letters].flatMap((a) =>
      [...letters].flatMap((b) => lengths.map((length) => (a + b).padEnd(length, 'x'))),
    );
    const chooseFrom = createWordChooser(list);
    const words = Array.from({ length: 40 }, (_, seed) => chooseFrom({ seed, count: 100 })).flat();
    // All lengths weigh the same in the list, so their logarithms lie on a line, with the slope that gives the mean.
    const weightsAt = (slope: number) => lengths.map((length) => Math.exp(slope * (length - 5)));
    const excessAt = (slope: number) =>
      weightsAt(slope).reduce((sum, weight, at) => sum + weight * ((lengths[at] as number) - 5), 0);
    const slopes = Array.from({ length: 2_001 }, (_, at) => at / 1_000 - 1);
    const weights = weightsAt(slopes.find((slope) => excessAt(slope) >= 0) ?? Number.NaN);
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [at, weight] of weights.entries()) {
      const share = words.filter(({ length }) => length === lengths[at]).length / words.length;
      expect(Math.abs(share - weight / all), `${lengths[at]}`).toBeLessThan(0.03);
    }
  });

  it('needs a list from which 30 words of 150 letters can be made', () => {
    const five = Array.from({ length: 15 }, (_, at) => `abcd${String.fromCharCode(97 + at)}`);
    expect(() => createWordChooser(['to', 'be', 'or'])).toThrow('No 30 words of this list have 150 letters');
    expect(() => createWordChooser(five.slice(1))).toThrow('No 30 words');
    expect(createWordChooser(five)({ seed: 1 })).toHaveLength(30);
  });
});

describe('sentences', () => {
  const sentencesOf = (seed: number) =>
    sentencesFrom(choose({ seed }), seed, 'en', (text) => known.has(text));

  it('begin with a capital, end in a mark, have 4 to 12 words, and keep every letter', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const words = sentencesOf(seed);
        expect(
          words
            .join('')
            .toLowerCase()
            .replace(/[^a-z]/g, ''),
        ).toBe(choose({ seed }).join(''));
        let length = 0;
        for (const word of words) {
          expect(word).toMatch(length === 0 ? /^"?[A-Z]/ : /^"?[a-z]/);
          length++;
          if (!/[.!?]$/.test(word)) continue;
          expect(length).toBeGreaterThanOrEqual(4);
          expect(length).toBeLessThanOrEqual(12);
          length = 0;
        }
        expect(length).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('bring every mark, quotes and colons seldom, and commas and full stops most often', () => {
    const words = Array.from({ length: 150 }, (_, seed) => sentencesOf(seed)).flat();
    const countOf = (mark: RegExp) => words.filter((word) => mark.test(word)).length;
    const [commas, stops] = [countOf(/,$/), countOf(/\.$/)];
    const [questions, exclamations] = [countOf(/\?$/), countOf(/!$/)];
    for (const seldom of [countOf(/;$/), countOf(/:$/), countOf(/^"[^"]+"/)]) {
      expect(seldom).toBeGreaterThan(20);
      expect(seldom).toBeLessThan(commas / 3);
    }
    expect(exclamations).toBeGreaterThan(20);
    expect(exclamations).toBeLessThan(questions);
    expect(questions).toBeLessThan(stops / 3);
    expect(commas).toBeLessThan(countOf(/\w$/) / 3);
  });

  it('have an apostrophe only in English, before the s of a word of four letters or more that is one without it', () => {
    const shown = (word: string, language = 'en', isWord = (text: string) => text !== 'glas') =>
      Array.from({ length: 200 }, (_, seed) => sentencesFrom(Array(8).fill(word), seed, language, isWord))
        .flat()
        .map((text) => text.toLowerCase().replace(/[".,;:!?]/g, ''));
    expect(new Set(shown('cats'))).toEqual(new Set(['cats', "cat's"]));
    expect(shown('cats').filter((word) => word === "cat's").length / 1600).toBeCloseTo(0.15, 1);
    for (const never of ['its', 'cat', 'glass']) expect(new Set(shown(never))).toEqual(new Set([never]));
    expect(new Set(shown('cats', 'nl'))).toEqual(new Set(['cats']));
  });
});
