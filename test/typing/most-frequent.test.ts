import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historicalStatisticsSteps } from '../../src/typing/statistics/historical-statistics.ts';
import { type Chapter, newChapter } from '../../src/typing/statistics/history.ts';
import type { LetterTally } from '../../src/typing/statistics/key-tally.ts';
import { mostFrequent } from '../../src/typing/statistics/most-frequent.ts';
import { allAtOnce } from '../../src/typing/statistics/steps.ts';

/** Sorts everything. */
function naively(counts: ReadonlyMap<string, number>, most: number) {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, most);
}

const names = fc.string({ unit: fc.constantFrom(...'abcdeäжя中\u{1f600}'), minLength: 2, maxLength: 2 });

it('the most frequent names are those of a sorted list, however many have the same count', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.integer({ min: 1, max: 5 })), { maxLength: 200 }),
      fc.integer({ min: 1, max: 30 }),
      (entries, most) => {
        const counts = new Map(entries);
        expect(allAtOnce(mostFrequent(counts, most))).toEqual(naively(counts, most));
      },
    ),
    { numRuns: 500 },
  );
});

it.each([
  ['rising', (at: number) => at],
  ['falling', (at: number) => -at],
  ['equal', () => 1],
  ['rising in waves', (at: number) => at - (at % 100) + ((at * 37) % 100)],
])('the most frequent of thousands of names with %s counts are found, in either order', (_, countAt) => {
  const entries = Array.from(
    { length: 6000 },
    (_, at) => [String.fromCodePoint(0x4e00 + at), countAt(at)] as const,
  );
  for (const counts of [new Map(entries), new Map(entries.toReversed())])
    expect(allAtOnce(mostFrequent(counts, 50))).toEqual(naively(counts, 50));
});

const times = fc.record({ count: fc.integer({ min: 1, max: 4 }), ms: fc.integer({ min: 1, max: 9_000 }) });
const letter: LetterTally = { presented: 2, correct: 1, seekMs: 300, seekCount: 1, seekSquares: 90_000 };

/** Chapters of more pairs than are shown, some of them in several chapters. */
const chapters: fc.Arbitrary<Chapter[]> = fc.array(
  fc
    .record({
      layout: fc.constantFrom('qwerty', 'dvorak'),
      pairs: fc.dictionary(
        fc.string({ unit: fc.constantFrom(...'qwertyuiopasdfgж中'), minLength: 2, maxLength: 2 }),
        times,
        {
          maxKeys: 150,
          size: 'max',
        },
      ),
    })
    .map(({ layout, pairs }) => {
      const chapter = newChapter({ mode: 'text', language: 'en', layout });
      const entries = Object.entries(pairs);
      const recent = { recentCount: 0, recentMs: 0, at: 0 };
      return {
        ...chapter,
        keys: {
          ...chapter.keys,
          letters: Object.fromEntries(entries.map(([pair]) => [pair.slice(0, 1), letter])),
          bigrams: Object.fromEntries(entries.map(([pair, each]) => [pair, { ...each, ...recent }])),
          errors: Object.fromEntries(entries.map(([pair, { count }]) => [pair, count])),
        },
      };
    }),
  { maxLength: 4 },
);

it('pairs and errors of several chapters are added up before the most frequent ones are chosen', () => {
  fc.assert(
    fc.property(chapters, (some) => {
      const sums = new Map<string, number>();
      const ms = new Map<string, number>();
      for (const [pair, each] of some.flatMap(({ keys }) => Object.entries(keys.bigrams))) {
        sums.set(pair, (sums.get(pair) ?? 0) + each.count);
        ms.set(pair, (ms.get(pair) ?? 0) + each.ms);
      }
      const { bigrams, errors } = allAtOnce(historicalStatisticsSteps(some));
      expect(Object.entries(bigrams)).toEqual(
        naively(sums, 100).map(({ name, count }) => [name, { ms: ms.get(name), count }]),
      );
      expect(errors).toEqual(
        naively(sums, 50).map(({ name, count }) => ({
          expected: name.slice(0, 1),
          typed: name.slice(1),
          count,
        })),
      );
    }),
    { numRuns: 100 },
  );
});
