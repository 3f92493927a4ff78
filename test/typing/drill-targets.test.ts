import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { drillableParts, letterBias } from '../../src/typing/choice/weaknesses.ts';
import type { DrillMode } from '../../src/typing/modes/mode.ts';
import type { Material } from '../../src/typing/modes/practice.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { newTypist, startCourse } from './simulated-typist.ts';

const library = openLibrary();
const languages = fc.constantFrom(...library.languages().map(({ id }) => id));
const seeds = fc.nat(0xffff_ffff);
/** Most of 30 words: nearly all, but for some that keep every letter in play. */
const most = 0.8 * 30;

/** A typist who has typed some rounds, and whose times of all pairs differ. */
function roundSetup(language: string, seed: number) {
  const random = createRandom(seed);
  const times = new Map<string, number>();
  const timeOf = (letter: string, before = ' ') => {
    const ms = times.get(before + letter) ?? 100 + 200 * random();
    times.set(before + letter, ms);
    return ms;
  };
  const course = startCourse(library, newTypist({ timeOf }), seed);
  course.play({ language }, 1 + (seed % 8));
  return course;
}

function drill(on: DrillMode['on'], language: string, seed: number) {
  const practice = { ...defaultPractice, language, mode: { type: 'drill', on } as const };
  const material = library.materialOf(practice, seed, roundSetup(language, seed).history());
  const { words, focus = [] } = roundText(practice, material);
  return {
    words: words.map(wordText),
    targets: focus.map(({ text }) => text),
    weakest: toWeakest(material),
    troubles: material.chapters.flatMap(({ keys }) => Object.keys(keys.troubles)).filter(material.isWord),
  };
}

/** The six letters that need most practice, of those in at least 15 words. */
function toWeakest({ chapters, language, words }: Material): string[] {
  return [...letterBias(chapters, language.alphabet)]
    .filter(([letter, bias]) => bias > 0 && words.filter((word) => word.includes(letter)).length >= 15)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([letter]) => letter);
}

const tooSoon = (words: readonly string[]) =>
  words.filter((word, at) => words.slice(at + 1, at + 15).includes(word));

describe('a drill of bigrams, in every language and for every typist', () => {
  const drills = fc.record({ language: languages, seed: seeds });

  it('brings each pair of its focus four times, in nearly all words, none of them again too soon', () => {
    fc.assert(
      fc.property(drills, ({ language, seed }) => {
        const { words, targets } = drill('bigrams', language, seed);
        expect(targets).toHaveLength(6);
        expect(words).toHaveLength(30);
        const holders = words.filter((word) => targets.some((pair) => word.includes(pair)));
        expect(holders.length).toBeGreaterThanOrEqual(most);
        for (const pair of targets) {
          const times = words.reduce((sum, word) => sum + word.split(pair).length - 1, 0);
          expect(times, pair).toBeGreaterThanOrEqual(4);
        }
        expect(tooSoon(words)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

it('a drill of letters has one of the six that need most practice in nearly all words, and each at least twice', () => {
  fc.assert(
    fc.property(languages, seeds, (language, seed) => {
      const { words, weakest } = drill('letters', language, seed);
      const holders = words.filter((word) => weakest.some((letter) => word.includes(letter)));
      expect(holders.length).toBeGreaterThanOrEqual(most);
      for (const letter of weakest) expect(words.join('').split(letter).length, letter).toBeGreaterThan(2);
      expect(tooSoon(words)).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

it('a drill of words has words that went wrong, as far as there are enough of them', () => {
  fc.assert(
    fc.property(languages, seeds, (language, seed) => {
      const { words, troubles } = drill('words', language, seed);
      const again = words.filter((word) => troubles.includes(word)).length;
      // A few may not fit where they would come again too soon.
      expect(again).toBeGreaterThanOrEqual(Math.min(21, 2 * new Set(troubles).size) / 2);
      expect(tooSoon(words)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it('what can be drilled is each letter and pair that at least 15 different words have', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 }), {
    minLength: 40,
    maxLength: 120,
  });
  fc.assert(
    fc.property(words, (words) => {
      const different = [...new Set(words)];
      const parts = [...'abc'].flatMap((first) => [first, ...[...'abc'].map((second) => first + second)]);
      const expected = parts.filter((part) => different.filter((word) => word.includes(part)).length >= 15);
      expect([...drillableParts(words)].sort()).toEqual(expected.sort());
    }),
  );
});
