import { describe, expect, it } from 'vitest';
import { newLayout } from '../../src/typing/letters/layout.ts';
import { modeName } from '../../src/typing/modes/mode.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { historicalSteps } from '../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, newHistory } from '../../src/typing/statistics/history.ts';
import { newStoredRound } from '../server/stores/stored-rounds.ts';
import { resultOf } from '../support/steps.ts';
import { foldRounds } from './fold-rounds.ts';
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
  resultOf(historicalSteps(chaptersOf(foldRounds(newHistory(), rounds))));

// What is counted is compared with a second computation in statistics-laws.test.ts; here is what that does not meet.

it('does not take a round of mostly wrong keys for the best standard speed, which people race', () => {
  const mashed = finished('abcde', 'xxxxe_', 100, 3_000);
  const typed = finished('abcde', 'abcde_', 100, 24_000);
  const alone = statisticsOf(typed).best_standard_wpm;
  expect(alone).toBeGreaterThan(0);
  expect(statisticsOf(mashed, typed).best_standard_wpm).toBe(alone);
  expect(statisticsOf(mashed)).toMatchObject({ best_standard_wpm: 0, total_sessions: 1 });
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

  it('include drills, and keys after the last word count in no round', () => {
    expect(statisticsOf({ ...good, mode: 'drill' })).toMatchObject({
      total_sessions: 0,
      rounds_not_counted: 1,
    });
    const longer = { ...good, keys: [...good.keys, 'a', 'b'], seekTimes: [...good.seekTimes, 90, 90] };
    expect(statisticsOf(longer)).toEqual(statisticsOf(good));
    const unfinished = { ...finished('abcde fg', 'abcde_f', 100, 60_000), mode: 'time-60' };
    expect(statisticsOf(unfinished)).toMatchObject({
      best_accuracy: 100,
      letter_accuracy: { f: { presented: 1 } },
    });
  });

  it.each([
    ['no times at all', [0, 0, 0, 0, 0, 0], 1],
    ['half of the intervals', [0, 90, 90, 0, 0, 0], 1],
    ['less than half of the intervals', [0, 90, 0, 0, 0, 0], 0],
  ])('with %s measured', (_, ms, counted) => {
    expect(statisticsOf(finished('abcde', 'abcde_', ms, 6_000)).total_sessions).toBe(counted);
  });

  it('include those above 350 standard words a minute', () => {
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

it('a round that does not say how it was practised was practised as usual', () => {
  const { mode, language, layout } = defaultPractice;
  const history = foldRounds(newHistory(), [finished('the', 'the_')]);
  expect(chaptersOf(history)).toMatchObject([{ mode: modeName(mode), language, layout, rounds: 1 }]);
});

it('rounds of a thousand kinds all count, and need the memory of a few kinds', () => {
  const kinds = Array.from({ length: 1_000 }, (_, at) => ({
    ...newStoredRound(String(at)),
    mode: `words-${10 + (at % 100)}`,
    layout: `layout-${at}`,
  }));
  const history = foldRounds(newHistory(), kinds, undefined, 64);
  expect(history.rounds).toBe(1_000);
  expect(Object.keys(history.chapters).length).toBeLessThanOrEqual(65);
  const chapters = Object.values(history.chapters);
  expect(chapters.reduce((sum, { rounds, notCounted }) => sum + rounds + notCounted, 0)).toBe(1_000);
  expect(JSON.stringify(history).length).toBeLessThan(200_000);
  expect(chaptersOf(history, { language: 'en' })).toHaveLength(64);
});

it('letters that a layout does not have belong to no finger, row or hand, and pairs with them to neither', () => {
  const layout = newLayout('small', 'Small', ['ab', 'd'], ['05', '0']);
  const chapters = chaptersOf(foldRounds(newHistory(), [finished('acbda aad', 'acbda_aad_')]));
  expect(resultOf(historicalSteps(chapters, () => layout))).toMatchObject({
    finger_stats: { 0: { presented: 6 }, 5: { presented: 1 } },
    row_stats: { 0: { presented: 5 }, 1: { presented: 2 } },
    hand_balance: { left: expect.closeTo(600 / 7), right: expect.closeTo(100 / 7) },
    // Of ac, cb, bd, da, aa, ad: bd changes the hand; da and ad have one finger for two letters.
    alternation_rate: expect.closeTo(100 / 6),
    sfb_stats: { count: 2, average_ms: 100 },
  });
});

describe('words that went wrong', () => {
  /** The trouble that each word is after these rounds; `x` is a slip, taken back. */
  const troublesAfter = (...rounds: readonly (readonly [words: readonly string[], slips: boolean])[]) => {
    const all = rounds.map(([words, slips], at) => ({
      ...finished(words.join(' '), words.map((word) => `${slips ? '#<' : ''}${word}_`).join('')),
      id: String(at),
    }));
    return chaptersOf(foldRounds(newHistory(), all))[0]?.keys.troubles ?? {};
  };

  it('are remembered with their number of slips, until they were right again and again', () => {
    const [wrong, right] = [[['cat', 'dog'], true] as const, [['cat'], false] as const];
    const after = [0, 1, 2, 3, 4].map(
      (count) => troublesAfter(wrong, wrong, ...Array(count).fill(right)).cat,
    );
    expect(after[0]).toBe(2);
    for (const [at, trouble] of after.slice(1, 4).entries())
      expect(trouble).toBeLessThan(after[at] as number);
    expect(after[4]).toBeUndefined();
    expect(troublesAfter(wrong, right).dog).toBe(1);
    expect(troublesAfter(right)).toEqual({});
    const longest = 'a'.repeat(64);
    expect(troublesAfter([[`${longest}a`, longest, 'toString'], true])).toEqual({
      [longest]: 1,
      toString: 1,
    });
    const withEmoji = { ...finished('ab', '#<ab_'), words: [['a', 'b']] };
    expect(chaptersOf(foldRounds(newHistory(), [withEmoji]))[0]?.keys.troubles).toEqual({});
  });

  it('are forgotten when there are more than 200, those with the fewest slips first', () => {
    const words = (letter: string, count: number) =>
      Array.from(
        { length: count },
        (_, at) => letter + String(at).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
      );
    const twice = words('t', 60);
    const known = troublesAfter(
      [twice, true],
      [twice, true],
      [words('o', 300), true],
      [words('p', 20), true],
    );
    expect(Object.keys(known)).toHaveLength(200);
    expect(twice.filter((word) => known[word] !== 2)).toEqual([]);
  });
});
