import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWordList } from '../../src/server/typing/library.ts';
import { focusWeights, inventWords } from '../../src/typing/choice/guided-words.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { english } from '../../src/typing/letters/language.ts';

const list = readWordList();

describe('the weights of words for a letter', () => {
  const countIn = (word: string, letter: string) => word.split(letter).length - 1;
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  /** Of all letters, and of all words. */
  const sharesOf = (words: readonly string[], weights: readonly number[], letter: string) => {
    const weigh = (toNumber: (word: string) => number) =>
      sum(words.map((word, at) => toNumber(word) * (weights[at] as number)));
    return {
      letters: weigh((word) => countIn(word, letter)) / weigh((word) => word.length),
      words: weigh((word) => (word.includes(letter) ? 1 : 0)) / sum(weights),
    };
  };

  it.each([...english.alphabet])(
    'bring %s 2.25 times as often, and into 60 % of the words, and neither much more than that',
    (letter) => {
      const weights = focusWeights(list, letter);
      const even = sharesOf(
        list,
        list.map(() => 1),
        letter,
      );
      const shares = sharesOf(list, weights, letter);
      const gain = shares.letters / even.letters;
      expect(gain).toBeGreaterThan(2.2499);
      expect(shares.words).toBeGreaterThan(0.5999);
      expect(Math.min(gain / 2.25, shares.words / 0.6)).toBeLessThan(1.0001);
    },
  );

  it('are the same for words with the same number of it, and not less for words with more of it', () => {
    const words = fc.array(fc.stringMatching(/^[abc]{1,6}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, (some) => {
        const weights = focusWeights(some, 'a');
        for (const [at, word] of some.entries()) {
          for (const [other, another] of some.entries()) {
            const [more, less] = [countIn(word, 'a'), countIn(another, 'a')];
            if (more === less) expect(weights[at]).toBe(weights[other]);
            if (more > less) expect(weights[at]).toBeGreaterThanOrEqual(weights[other] as number);
          }
        }
      }),
    );
  });

  it('are those of chance if no word contains it', () => {
    expect(focusWeights(['one', 'two'], 'x')).toEqual([1, 1]);
    expect(focusWeights([], 'x')).toEqual([]);
  });
});

describe('invented words', () => {
  const letters = ['e', 't', 'a', 'o', 'q', 'u'];
  const inventSome = (seed: number, count: number, inside = 't') =>
    inventWords(list, letters, inside, count, createRandom(seed));

  it('are different, of 3 to 6 of the letters, and contain the one asked for after their first', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(40), fc.constantFrom(...letters), (seed, count, inside) => {
        const words = inventSome(seed, count, inside);
        expect(words).toHaveLength(count);
        expect(new Set(words).size).toBe(count);
        for (const word of words) {
          expect(word).toMatch(/^[etaoqu]{3,6}$/);
          expect(word.indexOf(inside, 1)).toBeGreaterThan(0);
        }
      }),
    );
  });
});
