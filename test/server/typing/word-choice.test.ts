import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterCount } from '../../../src/server/typing/keyboard.ts';
import { createWordChooser } from '../../../src/server/typing/word-choice.ts';
import { readWordList } from '../../../src/server/typing-api/word-list.ts';

const list = readWordList();
const choose = createWordChooser(list);
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const biases = fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), {
  minLength: letterCount,
  maxLength: letterCount,
});

describe('a choice of words', () => {
  it('has 30 words of the list, 150 letters and no word twice in a row, for every seed and bias', () => {
    const known = new Set(list);
    fc.assert(
      fc.property(seeds, fc.option(biases, { nil: undefined }), (seed, bias) => {
        const words = choose(bias === undefined ? { seed } : { seed, bias });
        expect(words).toHaveLength(30);
        expect(words.join('')).toHaveLength(150);
        expect(words.filter((word) => !known.has(word))).toEqual([]);
        expect(words.filter((word, at) => word === words[at + 1])).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('adds one mark to each word but the last in punctuation mode', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const words = choose({ seed, punctuation: true });
        expect(words.slice(0, -1).filter((word) => !/^[a-z]+[,.;:!?]$/.test(word))).toEqual([]);
        expect(words.at(-1)).toMatch(/^[a-z]+$/);
        expect(words.join('')).toHaveLength(179);
      }),
      { numRuns: 100 },
    );
    const marks = new Set(
      Array.from({ length: 20 }, (_, seed) => choose({ seed, punctuation: true }).join('')).join(''),
    );
    expect([...',.;:!?'].filter((mark) => !marks.has(mark))).toEqual([]);
  });

  it('is the same for the same seed and another for another', () => {
    expect(choose({ seed: 7 })).toEqual(choose({ seed: 7 }));
    expect(choose({ seed: 7 })).not.toEqual(choose({ seed: 8 }));
    expect(choose({ seed: 7, bias: new Array(letterCount).fill(0) })).toEqual(choose({ seed: 7 }));
  });

  it('gives every word its chance when nothing is preferred', () => {
    const met = new Set<string>();
    for (let seed = 0; seed < 1500; seed++) for (const word of choose({ seed })) met.add(word);
    // 45,000 draws of 2,500 words: a word of average chance is missed with e^-17, the rarest lengths with about e^-6.
    expect(list.filter((word) => !met.has(word)).length).toBeLessThan(list.length / 100);
  });

  it.each(['e', 't', 'z'])('brings more of the letter %s the more it is preferred', (letter) => {
    const shareAt = (strength: number) => {
      const bias = Array.from({ length: letterCount }, (_, at) =>
        at === letter.charCodeAt(0) - 97 ? strength : 0,
      );
      const text = Array.from({ length: 60 }, (_, seed) => choose({ seed, bias }).join('')).join('');
      return text.split(letter).length - 1;
    };
    const counts = [0, 0.8, 1.6].map(shareAt);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[2]).toBeGreaterThan(1.5 * (counts[0] as number));
  });

  it('needs a list from which 30 words of 150 letters can be made', () => {
    expect(() => createWordChooser(['to', 'be', 'or'])).toThrow('No 30 words of this list have 150 letters');
    expect(() => createWordChooser(['alone'])).toThrow('No 30 words');
    expect(createWordChooser(['about', 'above'])({ seed: 1 })).toHaveLength(30);
  });
});

describe('the word list', () => {
  it('holds over 1,000 different words of 2 to 8 letters a to z, in order', () => {
    expect(list.length).toBeGreaterThan(1000);
    expect(list.filter((word) => !/^[a-z]{2,8}$/.test(word))).toEqual([]);
    expect(list).toEqual([...new Set(list)].sort());
  });

  it('holds each letter in at least 20 words', () => {
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      expect(list.filter((word) => word.includes(letter)).length, letter).toBeGreaterThanOrEqual(20);
    }
  });

  it('holds what every text is made of, and nothing that a class of beginners should not meet', () => {
    for (const word of ['the', 'and', 'you', 'that', 'was', 'for', 'are', 'with', 'they', 'have', 'this']) {
      expect(list).toContain(word);
    }
    for (const word of [
      'kill',
      'gun',
      'sex',
      'drug',
      'suicide',
      'murder',
      'rape',
      'hell',
      'damn',
      'stupid',
    ]) {
      expect(list).not.toContain(word);
    }
  });
});
