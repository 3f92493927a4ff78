import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireHistory } from '../../src/contract/typing-answers.ts';
import { newLayout } from '../../src/typing/letters/layout.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { addBigram, fingersByCode, newHandSums } from '../../src/typing/statistics/hand-statistics.ts';
import { historicalStatistics } from '../../src/typing/statistics/historical-statistics.ts';
import {
  type Chapter,
  chaptersOf,
  foldRounds,
  newChapter,
  newHistory,
} from '../../src/typing/statistics/history.ts';
import type { LetterTally } from '../../src/typing/statistics/key-tally.ts';
import { newStoredRound } from '../server/stores/stored-rounds.ts';
import { toKey } from './typed-round.ts';

/** A round from its words and keys; `_` is space, `<` backspace. Every key takes `ms`, or its own time from the list. */
function finished(
  words: string,
  keys: string,
  ms: number | number[] = 100,
  duration = 60_000,
): FinishedRound {
  const signs = [...keys];
  return {
    id: keys,
    words: words.split(' '),
    keys: signs.map(toKey),
    seekTimes: signs.map((_, at) => (typeof ms === 'number' ? ms : (ms[at] as number))),
    timing: { start: 0, end: duration, duration },
  };
}

const statisticsOf = (...rounds: FinishedRound[]) =>
  wireHistory(historicalStatistics(chaptersOf(foldRounds(newHistory(), rounds))));

// What is counted is compared with a second computation in statistics-laws.test.ts; here is what that does not meet.

it('does not take a round of mostly wrong keys for the best standard speed, which people race', () => {
  const mashed = finished('abcde', 'xxxxe_', 100, 3_000);
  const typed = finished('abcde', 'abcde_', 100, 24_000);
  const alone = statisticsOf(typed).best_standard_wpm;
  expect(alone).toBeGreaterThan(0);
  expect(statisticsOf(mashed, typed).best_standard_wpm).toBe(alone);
  expect(statisticsOf(mashed)).toMatchObject({ best_standard_wpm: 0, total_sessions: 1 });
});

describe('pairs', () => {
  it('are neither alternating nor of one finger if a letter of them is not on the layout', () => {
    for (const pair of ['lx', 'xl', 'xx', 'xy']) {
      for (const finger of [0, 9]) {
        const sums = newHandSums();
        addBigram(sums, new Map([[0x6c, finger]]), pair, { ms: 100, count: 1 });
        expect(sums).toMatchObject({ pairs: 1, alternations: 0, sameFinger: { count: 0 } });
      }
    }
  });

  it('are of two letters, however many units each of them has', () => {
    const fingers = fingersByCode(newLayout('own', 'Own', [['𐐀', 'b', '𐐂', 'd', 'e', '𐐅']]));
    const sumsOf = (pair: string) => {
      const sums = newHandSums();
      addBigram(sums, fingers, pair, { ms: 100, count: 1 });
      return [sums.alternations, sums.sameFinger.count];
    };
    expect(['𐐀𐐅', '𐐅b', 'b𐐅'].map(sumsOf)).toEqual(Array(3).fill([1, 0]));
    expect(['de', '𐐀𐐂', '𐐀𐐀'].map(sumsOf)).toEqual([
      [0, 1],
      [0, 0],
      [0, 0],
    ]);
  });
});

describe('rounds that do not count', () => {
  const fast = finished('abcde abcde', 'abcde_abcde_', 10, 300);
  const good = finished('abcde', 'abcde_', 100, 6_000);

  it('affect no best, no average and no letter, and are counted separately', () => {
    const { rounds_not_counted, ...others } = statisticsOf(good, fast);
    const { rounds_not_counted: none, ...alone } = statisticsOf(good);
    expect(others).toEqual(alone);
    expect([rounds_not_counted, none]).toEqual([1, 0]);
  });

  it.each([
    ['no times at all', [0, 0, 0, 0, 0, 0], 1],
    ['half of the intervals', [0, 90, 90, 0, 0, 0], 1],
    ['less than half of the intervals', [0, 90, 0, 0, 0, 0], 0],
  ])('with %s measured', (_, ms, counted) => {
    expect(statisticsOf(finished('abcde', 'abcde_', ms, 6_000)).total_sessions).toBe(counted);
  });

  it('are those above 350 standard words a minute', () => {
    // 35 characters: 34 / 5 words.
    const words = 'abcdefgh abcdefgh abcdefgh abcdefgh';
    const at = (ms: number) => statisticsOf(finished(words, `${words.replaceAll(' ', '_')}_`, 30, ms));
    const fastest = (34 / 5 / 350) * 60_000;
    expect(at(Math.ceil(fastest)).total_sessions).toBe(1);
    expect(at(Math.floor(fastest)).total_sessions).toBe(0);
  });
});

it.each(['mode', 'language', 'layout'] as const)('is read of one %s only, and of all without one', (name) => {
  const [one, other] = ['words-10', 'words-50'].map((value) => ({
    ...finished('the', 'the_'),
    id: value,
    [name]: value,
  }));
  const history = foldRounds(newHistory(), [one, other] as FinishedRound[]);
  expect(chaptersOf(history, { [name]: 'words-10' }).map((chapter) => chapter[name])).toEqual(['words-10']);
  expect(chaptersOf(history, { [name]: 'nothing' })).toEqual([]);
  expect(chaptersOf(history)).toHaveLength(2);
});

it('rounds of a thousand kinds all count, and take the memory of a few kinds', () => {
  const kinds = Array.from({ length: 1_000 }, (_, at) => ({
    ...newStoredRound(String(at)),
    mode: `words-${10 + (at % 100)}`,
    layout: `layout-${at}`,
  }));
  const history = foldRounds(newHistory(), kinds);
  expect(history.rounds).toBe(1_000);
  expect(Object.keys(history.chapters).length).toBeLessThanOrEqual(33);
  const chapters = Object.values(history.chapters);
  expect(chapters.reduce((sum, { rounds, notCounted }) => sum + rounds + notCounted, 0)).toBe(1_000);
  expect(JSON.stringify(history).length).toBeLessThan(200_000);
});

/** Sorts everything. */
function mostFrequent(counts: ReadonlyMap<string, number>, max: number) {
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, max);
}

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
      const { bigrams, errors } = historicalStatistics(some);
      expect(Object.entries(bigrams)).toEqual(
        mostFrequent(sums, 100).map(([pair, count]) => [pair, { ms: ms.get(pair), count }]),
      );
      expect(errors).toEqual(
        mostFrequent(sums, 50).map(([kind, count]) => ({
          expected: kind.slice(0, 1),
          typed: kind.slice(1),
          count,
        })),
      );
    }),
    { numRuns: 100 },
  );
});
