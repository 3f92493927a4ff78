import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/server/stores/languages.ts';
import { openLibrary } from '../../src/server/typing/library.ts';
import { frequencyOf, newTypist, startCourse } from './simulated-typist.ts';
import { answersOf, drawChance, playAnswer, weaknessesOf } from './weaknesses.ts';

const library = openLibrary();
const rounds = 20;
/** A letter that chance brings less often than this in as many rounds says nothing when it is missing. */
const enough = 30;

describe.each(['en', 'el'])('in %s', (language) => {
  const chance = drawChance(library, language, 60, 1);

  it.each(Object.entries(answersOf(weaknessesOf(library, language))))(
    '%s brings a typist’s weaknesses at least 1.5 times as often as chance, and makes no letter rare',
    (_, answer) => {
      const met = playAnswer(library, language, answer, rounds, 6);
      for (const part of answer.parts) {
        // Chance brings one word of thousands so seldom that it may not come at all.
        const expected = Math.max(frequencyOf(part, chance), 1 / chance.flat().join('').length);
        expect(frequencyOf(part, met) / expected, part).toBeGreaterThan(1.5);
      }
      for (const letter of languageOf(language).alphabet) {
        const often = frequencyOf(letter, chance) * met.flat().join('').length;
        if (often < enough) continue;
        expect(frequencyOf(letter, met) / frequencyOf(letter, chance), letter).toBeGreaterThan(0.2);
      }
    },
  );
});

/** The words of each of four English typists in forty rounds, by whom these letters are missed or found slowly. */
const practise = (weak: string, way?: 'missed' | 'slow') =>
  Array.from({ length: 4 }, (_, at) => {
    const typist = newTypist({
      missesOf: (letter) => (way === 'missed' && weak.includes(letter) ? 0.15 : 0.03),
      timeOf: (letter) => (way === 'slow' && weak.includes(letter) ? 300 : 190),
    });
    return startCourse(library, typist, at + 1).play({}, 2 * rounds);
  });
const alphabet = [...languageOf('en').alphabet];
const usual = drawChance(library, 'en', 300, 1);

it.each([
  ['e', 'missed'],
  ['kzp', 'missed'],
  ['jn', 'slow'],
] as const)('typists by whom %s is %s meet it at least 1.5 times as often after 20 rounds', (weak, way) => {
  const met = practise(weak, way);
  const later = met.flatMap((words) => words.slice(rounds));
  for (const letter of weak)
    expect(frequencyOf(letter, later) / frequencyOf(letter, usual), letter).toBeGreaterThan(1.5);
  for (const words of met) {
    const soon = words.slice(0, 30).flat().join('');
    expect(alphabet.filter((letter) => !soon.includes(letter))).toEqual([]);
  }
});

it('for typists without weaknesses, no letter becomes rare', () => {
  const later = practise('').flatMap((words) => words.slice(rounds));
  for (const letter of alphabet)
    expect(frequencyOf(letter, later) / frequencyOf(letter, usual), letter).toBeGreaterThan(0.7);
});

it('a letter that was weak, and then strong for eighty rounds, gets no extra practice', () => {
  const shareAfter = (slowness: number) => {
    let factor = slowness;
    const typist = newTypist({ timeOf: (letter) => (letter === 'k' ? 180 * factor : 180) });
    const course = startCourse(library, typist, 3);
    course.play({}, 20);
    const then = frequencyOf('k', course.play({}, 20));
    factor = 1;
    course.play({}, 80);
    return { then, later: frequencyOf('k', course.play({}, 40)) };
  };
  const [weak, never] = [shareAfter(1.7), shareAfter(1)];
  expect(weak.then / never.then).toBeGreaterThan(1.5);
  expect(weak.later / never.later).toBeLessThan(1.2);
});
