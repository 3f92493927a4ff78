import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWordList } from '../../src/server/typing/library.ts';
import { focusWeights, inventWords } from '../../src/typing/choice/guided-words.ts';
import { createRandom } from '../../src/typing/choice/random-draw.ts';
import { english } from '../../src/typing/letters/language.ts';

const list = readWordList();

it.for([...english.alphabet])('the weights of words bring %s into at least 60 % of them', (letter) => {
  const weights = focusWeights(list, letter);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  const holders = weights.filter((_, at) => list[at]?.includes(letter));
  expect(sum(holders) / sum(weights)).toBeGreaterThan(0.5999);
  expect(focusWeights(['one', 'two'], 'x')).toEqual([1, 1]);
  const [none, once, twice] = focusWeights(['--', `-${letter}-`, `${letter}-${letter}`], letter);
  expect(none).toBeLessThan(once ?? 0);
  expect(once).toBeLessThan(twice ?? 0);
});

describe('invented words', () => {
  const letters = ['e', 't', 'a', 'o', 'q', 'u'];
  const inventSome = (seed: number, count: number, inside = 't') =>
    inventWords(list, letters, inside, count, createRandom(seed));

  it('begin, go on and end as words of the language, as long as there are enough such words', () => {
    const known = `^${list.join('^')}^`;
    const words = Array.from({ length: 20 }, (_, seed) => inventSome(seed, 5)).flat();
    for (const word of words) {
      const whole = `^${word}^`;
      for (let at = 3; at <= whole.length; at++) expect(known).toContain(whole.slice(at - 3, at));
    }
    expect([...new Set(words.map(({ length }) => length))].sort()).toEqual([3, 4, 5, 6]);
    const share = words.join('').split('t').length / words.join('').length;
    expect(share).toBeGreaterThan(0.2);
  });

  it('are different, of 3 to 6 letters, and contain the requested one after their first', () => {
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
