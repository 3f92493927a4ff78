import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import {
  isMode,
  type Mode,
  modeName,
  modeNamePattern,
  modeNames,
  modes,
  modeTypes,
  offeredTypes,
  parametersOf,
} from '../../src/typing/modes/mode.ts';
import { countedLanguage, defaultPractice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { newHistory } from '../../src/typing/statistics/history.ts';

const library = openLibrary();
const languages = fc.constantFrom(...library.languages());
const seeds = fc.nat(0xffff_ffff);

function wordsOf(mode: Mode, seed: number, { language = 'en', punctuation = false } = {}): string[] {
  const practice = { ...defaultPractice, mode, language, punctuation };
  return roundText(practice, library.materialOf(practice, seed, newHistory())).words.map(wordText);
}

const tooSoon = (words: readonly string[], distance: number) =>
  words.filter((word, at) => words.slice(Math.max(0, at - distance), at).includes(word));

describe('words with numbers', () => {
  it('have a number of 1 to 4 digits about every fifth word, in every language, and words between', () => {
    fc.assert(
      fc.property(languages, fc.boolean(), seeds, ({ id }, punctuation, seed) => {
        const mode = { type: 'words', count: 200, numbers: true } as const;
        const words = wordsOf(mode, seed, { language: id, punctuation });
        const numbers = words.filter((word) => /\d/.test(word));
        expect(words).toHaveLength(200);
        expect(numbers.filter((number) => !/^(?:\d|[1-9]\d{1,3})$/.test(number))).toEqual([]);
        expect(numbers.length).toBeGreaterThan(5);
        expect(numbers.length).toBeLessThan(80);
        const without = wordsOf({ type: 'words', count: 200 }, seed, { language: id, punctuation });
        const replaced = without.filter((word, at) => word !== words[at]);
        expect(replaced).toHaveLength(numbers.length);
        expect(replaced.filter((word) => !/^[\p{Ll}\p{Lo}'-]+$/u.test(word))).toEqual([]);
      }),
      { numRuns: 15 },
    );
    const all = Array.from({ length: 100 }, (_, seed) =>
      wordsOf({ type: 'words', count: 50, numbers: true }, seed),
    ).flat();
    const numbers = all.filter((word) => /\d/.test(word));
    expect(numbers.length / all.length).toBeCloseTo(0.2, 1);
    for (const length of [1, 2, 3, 4]) {
      expect(numbers.filter((number) => number.length === length).length / numbers.length).toBeCloseTo(
        0.25,
        1,
      );
    }
  });
});

it('words of a list come from it only, all sooner or later, in no fixed order, and none again before half of them', () => {
  const lists = fc.uniqueArray(fc.stringMatching(/^[a-zäß]{1,12}$/), { minLength: 10, maxLength: 60 });
  fc.assert(
    fc.property(lists, seeds, (list, seed) => {
      const words = wordsOf({ type: 'words', count: 200, list }, seed);
      expect(words).toHaveLength(200);
      expect(words.filter((word) => !list.includes(word))).toEqual([]);
      expect(tooSoon(words, Math.min(14, Math.floor(list.length / 2)))).toEqual([]);
      if (list.length <= 15)
        expect(words.slice(0, list.length)).not.toEqual(words.slice(list.length, 2 * list.length));
      if (list.length <= 15) expect(new Set(words)).toEqual(new Set(list));
    }),
    { numRuns: 25 },
  );
});

it('a drill with targets has each of them at least twice, and one of them in nearly all words', () => {
  const letters = fc.uniqueArray(fc.constantFrom(...'abcdefghilmnoprstuvwy'), {
    minLength: 1,
    maxLength: 10,
  });
  const bigrams = fc.uniqueArray(fc.constantFrom('th', 'er', 'in', 'st', 'qu', 'ou', 'ck', 'sh'), {
    minLength: 1,
    maxLength: 5,
  });
  const modes = fc.oneof(
    letters.map((targets) => ({ type: 'drill', on: 'letters', targets }) as const),
    bigrams.map((targets) => ({ type: 'drill', on: 'bigrams', targets }) as const),
  );
  fc.assert(
    fc.property(modes, seeds, (mode, seed) => {
      const words = wordsOf(mode, seed);
      const holders = words.filter((word) => mode.targets.some((part) => word.includes(part)));
      expect(holders.length).toBeGreaterThanOrEqual(24);
      for (const part of mode.targets) {
        expect(words.filter((word) => word.includes(part)).length, part).toBeGreaterThanOrEqual(2);
      }
      expect(tooSoon(words, 14)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

it('the target of a guided round is that of its mode, or 35 WPM', () => {
  const targetOf = (mode: Mode) => {
    const practice = { ...defaultPractice, mode };
    return roundText(practice, library.materialOf(practice, 1, newHistory())).focus?.[0]?.targetMs;
  };
  expect(targetOf({ type: 'guided' })).toBeCloseTo(12_000 / 35, 6);
  expect(targetOf({ type: 'guided', target_wpm: 60 })).toBeCloseTo(200, 6);
});

it('rounds of code count as English in every language, all others as their own', () => {
  for (const type of modeTypes) expect(countedLanguage(type, 'de')).toBe(type === 'code' ? 'en' : 'de');
});

describe('the list of modes', () => {
  it('has an example of each, which is a mode, and from which rounds have their name', () => {
    for (const type of modeTypes) {
      const { example } = modes[type];
      expect(isMode(example), type).toBe(true);
      expect(modeName(example as Mode)).toMatch(new RegExp(`^${type}(?:-\\w+)?$`));
    }
  });

  it('counts words with numbers or from a list, and texts of code, apart from those without', () => {
    const names: [Mode, string][] = [
      [{ type: 'words', count: 30 }, 'words-30'],
      [{ type: 'words', count: 30, numbers: true }, 'words-30-numbers'],
      [{ type: 'words', count: 30, numbers: false }, 'words-30'],
      [{ type: 'words', count: 30, list: ['one', 'two'] }, 'words-30-list'],
      [{ type: 'words', count: 30, numbers: true, list: ['one'] }, 'words-30-numbers-list'],
      [{ type: 'text', text: 'a', code: 'rust' }, 'text-rust'],
    ];
    for (const [mode, name] of names)
      expect([modeName(mode), modeNamePattern.test(name)]).toEqual([name, true]);
  });

  it('tells people of each parameter what it is, and has a default that a request may name, too', () => {
    for (const [name, parameter] of modeTypes.flatMap(parametersOf)) {
      expect(parameter.what, name).toMatch(/^[A-Z].*\w\.?$/s);
      if (parameter.kind === 'name') expect(parameter.sentence).toMatch(/\w{3}/);
      if (parameter.kind === 'choice') expect(parameter.values).toContain(parameter.default);
      if (parameter.kind !== 'number' || parameter.default === undefined) continue;
      expect(parameter.default).toBeGreaterThanOrEqual(parameter.min);
      expect(parameter.default).toBeLessThanOrEqual(parameter.max);
    }
    for (const type of offeredTypes) {
      for (const text of Object.values(modes[type].offer)) expect(text).toMatch(/^\w.*\w$/);
    }
  });

  it('names them in sentences and refuses other names, and other values for modes', () => {
    expect(new Set(modeNames).size).toBe(modeTypes.length + 1);
    for (const name of modeNames) {
      const real = name.replace('-N', '-30').replace(/-[A-Z]+$/, '-rust');
      expect(modeNamePattern.test(real), name).toBe(true);
      expect(modeNamePattern.test(`x${real}`) || modeNamePattern.test(`${real}-1x`)).toBe(false);
    }
    for (const value of [undefined, null, 'words', {}, { type: 7 }, { type: 'toString' }, { type: 'all' }]) {
      expect(isMode(value)).toBe(false);
    }
  });
});
