import { describe, expect, it } from 'vitest';
import { wireHistory } from '../../src/contract/typing-answers.ts';
import { newLayout } from '../../src/typing/letters/layout.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { addBigram, fingersByCode, newHandSums } from '../../src/typing/statistics/hand-statistics.ts';
import { historicalStatisticsSteps } from '../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, foldRounds, newChapter, newHistory } from '../../src/typing/statistics/history.ts';
import { allAtOnce } from '../../src/typing/statistics/steps.ts';
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
  wireHistory(allAtOnce(historicalStatisticsSteps(chaptersOf(foldRounds(newHistory(), rounds)))));

it('is all zeros and empty without rounds', () => {
  expect(statisticsOf()).toEqual({
    best_wpm: 0,
    best_accuracy: 0,
    best_time: 0,
    average_wpm: 0,
    average_accuracy: 0,
    average_time: 0,
    total_sessions: 0,
    letter_accuracy: {},
    letter_seek_time: {},
    finger_stats: {},
    row_stats: {},
    hand_balance: { left: 0, right: 0 },
    alternation_rate: 0,
    sfb_stats: { count: 0, average_ms: 0 },
    rhythm_stddev: 0,
    error_patterns: [],
    best_standard_wpm: 0,
    average_standard_wpm: 0,
    average_consistency: 0,
    bigrams: {},
    rounds_not_counted: 0,
  });
});

it('does not take a round of mostly wrong keys for the best standard speed, which people race', () => {
  const mashed = finished('abcde', 'xxxxe_', 100, 3_000);
  const typed = finished('abcde', 'abcde_', 100, 24_000);
  const alone = statisticsOf(typed).best_standard_wpm;
  expect(alone).toBeGreaterThan(0);
  expect(statisticsOf(mashed, typed).best_standard_wpm).toBe(alone);
  expect(statisticsOf(mashed)).toMatchObject({ best_standard_wpm: 0, total_sessions: 1 });
});

it('has best and average over all rounds, and the shortest time as the best', () => {
  const fast = finished('abcde', 'abcde_', 100, 6_000);
  const exact = finished('ab', 'ab_', 100, 12_000);
  const slow = finished('abcde', 'xbcde_', 100, 24_000);
  expect(statisticsOf(fast, slow, exact)).toMatchObject({
    best_wpm: 10,
    best_accuracy: 100,
    best_time: 6,
    average_wpm: (10 + 2 + 2) / 3,
    average_accuracy: (100 + 80 + 100) / 3,
    average_time: 14,
    total_sessions: 3,
  });
});

describe('letters', () => {
  it('are correct if the first key at their position was, whatever followed', () => {
    expect(statisticsOf(finished('aba', 'xb<<a<aba_')).letter_accuracy).toEqual({
      a: { presented: 2, correct: 1, accuracy: 50 },
      b: { presented: 1, correct: 1, accuracy: 100 },
    });
  });

  it('count a space in their place as a miss, and leave out punctuation and extra characters', () => {
    expect(statisticsOf(finished('ab, c', 'a_,x_c_')).letter_accuracy).toEqual({
      a: { presented: 1, correct: 1, accuracy: 100 },
      b: { presented: 1, correct: 0, accuracy: 0 },
      c: { presented: 1, correct: 1, accuracy: 100 },
    });
  });

  it('add up by finger and by row', () => {
    const { finger_stats, row_stats, hand_balance } = statisticsOf(finished('aqj', 'axj_'));
    expect(finger_stats).toEqual({
      0: { presented: 2, correct: 1, accuracy: 50 },
      6: { presented: 1, correct: 1, accuracy: 100 },
    });
    expect(row_stats).toEqual({
      0: { presented: 1, correct: 0, accuracy: 0 },
      1: { presented: 2, correct: 2, accuracy: 100 },
    });
    expect(hand_balance.left).toBeCloseTo(200 / 3, 10);
    expect(hand_balance.left + hand_balance.right).toBe(100);
  });
});

describe('seek times', () => {
  it('count for right keys inside a word that took more than 0 and less than 5,000 ms', () => {
    const round = finished('abcdef', 'abxdef_', [900, 1, 50, 4999, 5000, 0, 10]);
    expect(statisticsOf(round).letter_seek_time).toEqual({
      b: { total_time_ms: 1, count: 1, average_ms: 1 },
      d: { total_time_ms: 4999, count: 1, average_ms: 4999 },
    });
  });

  it('count again when a letter is typed again, and never for punctuation', () => {
    const round = finished('ab, c', 'ab<b,_c_', [9, 100, 0, 50, 70, 9, 9, 9]);
    expect(statisticsOf(round).letter_seek_time).toEqual({
      b: { total_time_ms: 150, count: 2, average_ms: 75 },
    });
  });

  it('have their population standard deviation as rhythm', () => {
    expect(statisticsOf(finished('abc', 'abc_', [0, 100, 300, 0])).rhythm_stddev).toBe(100);
    expect(statisticsOf(finished('abcd', 'abcd_', 123)).rhythm_stddev).toBe(0);
  });
});

describe('pairs', () => {
  it('alternate if two hands type them', () => {
    // th: left right; he: right left; er: one hand.
    expect(statisticsOf(finished('ther', 'ther_')).alternation_rate).toBeCloseTo(200 / 3, 10);
  });

  it('are neither alternating nor of one finger if a letter of them is not on the layout', () => {
    for (const pair of ['lx', 'xl', 'xx', 'xy']) {
      for (const finger of [0, 9]) {
        const sums = newHandSums();
        addBigram(sums, new Map([[0x6c, finger]]), pair, { ms: 100, count: 1 });
        expect(sums).toMatchObject({ pairs: 1, alternations: 0, sameFinger: { count: 0 } });
      }
    }
  });

  it('are same-finger pairs if two different letters share a finger; double letters are not', () => {
    const { sfb_stats } = statisticsOf(finished('deed', 'deed_', [0, 100, 999, 300, 0]));
    expect(sfb_stats).toEqual({ count: 2, average_ms: 200 });
  });

  it.each([
    ['a wrong key between them', 'dxe_', 'd,e'],
    ['a wrong key at the first place', 'xe_', 'de'],
    ['a backspace between them', 'dx<e_', 'de'],
    ['a mark between them', 'd,e_', 'd,e'],
    ['the end of a word', 'd_e_', 'd e'],
  ])('are broken by %s', (_, keys, words) => {
    expect(statisticsOf(finished(words, keys))).toMatchObject({
      alternation_rate: 0,
      sfb_stats: { count: 0 },
    });
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

  it('need a counted seek time only for the second letter', () => {
    expect(statisticsOf(finished('de', 'de_', [0, 100, 0])).sfb_stats.count).toBe(1);
    expect(statisticsOf(finished('de', 'de_', [100, 0, 0])).sfb_stats.count).toBe(0);
  });

  it('form again after a correction', () => {
    expect(statisticsOf(finished('dec', 'dx<ec_')).sfb_stats.count).toBe(1);
  });
});

describe('error patterns', () => {
  it('show expected and typed letter, most frequent first and ties in alphabetical order', () => {
    const round = finished('abc', 'x<y<ay<x<b_?_');
    expect(statisticsOf(round).error_patterns).toEqual([
      { expected: 'a', typed: 'x', count: 1 },
      { expected: 'a', typed: 'y', count: 1 },
      { expected: 'b', typed: 'x', count: 1 },
      { expected: 'b', typed: 'y', count: 1 },
    ]);
    expect(statisticsOf(round, finished('cab', 'cay_')).error_patterns[0]).toEqual({
      expected: 'b',
      typed: 'y',
      count: 2,
    });
  });

  it('contain only letters of the language: no spaces, digits, signs or foreign letters', () => {
    expect(statisticsOf(finished('abcde', 'a_7?é_')).error_patterns).toEqual([]);
  });

  it('leave out the right letter in the wrong case, which still is a miss of that letter', () => {
    const { error_patterns, letter_accuracy } = statisticsOf(finished('Ab', 'aB_'), finished('Ab', 'XC_'));
    expect(error_patterns).toEqual([
      { expected: 'a', typed: 'x', count: 1 },
      { expected: 'b', typed: 'c', count: 1 },
    ]);
    expect(letter_accuracy).toEqual({
      a: { presented: 2, correct: 0, accuracy: 0 },
      b: { presented: 2, correct: 0, accuracy: 0 },
    });
  });

  it('are at most 50, the most frequent ones', () => {
    const others = [...'bcdefghijklmnopqrstuvwxyz'];
    const pairs = ['a', 'b', 'c'].flatMap((wanted) =>
      others.filter((typed) => typed > wanted).map((typed) => [wanted, typed]),
    );
    const slips = pairs.map(([wanted = '', typed]) => finished(wanted, `${typed}<${wanted}_`));
    const patterns = statisticsOf(...slips, finished('c', 'z<c_')).error_patterns;
    expect(patterns).toHaveLength(50);
    expect(patterns[0]).toEqual({ expected: 'c', typed: 'z', count: 2 });
  });

  it('keep bounded memory under a flood of different characters', () => {
    const flood = Array.from({ length: 6_000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    const keys = [...flood.flatMap((typed) => [typed, '\b']), 'a', ' '];
    const round = { ...finished('a', 'a_'), keys, seekTimes: keys.map(() => 0) };
    expect(JSON.stringify(foldRounds(newHistory(), [round])).length).toBeLessThan(2_000);
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

it('adds up tens of thousands of pairs in steps, and shows the most frequent of all of them', () => {
  const letters = Array.from({ length: 120 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const bigrams = Object.fromEntries(
    letters.flatMap((first, one) =>
      letters.map((second, other) => [
        first + second,
        { count: 1 + one * 120 + other, ms: 100, recentCount: 0, recentMs: 0, at: 0 },
      ]),
    ),
  );
  const chapter = newChapter({ mode: 'text', language: 'en', layout: 'qwerty' });
  const steps = historicalStatisticsSteps([{ ...chapter, keys: { ...chapter.keys, bigrams } }]);
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan(60);
  expect(Object.values(step.value.bigrams).map((pair) => pair.count)).toEqual(
    Array.from({ length: 100 }, (_, at) => 120 * 120 - at),
  );
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
