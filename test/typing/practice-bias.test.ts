import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { bigramBias, letterBias, pairsToGain, wordBias } from '../../src/typing/choice/weaknesses.ts';
import { english } from '../../src/typing/letters/language.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { type Chapter, chaptersOf, newHistory } from '../../src/typing/statistics/history.ts';
import { newKeyTally, type RecentTally } from '../../src/typing/statistics/key-tally.ts';
import { typedRound } from '../support/typed-rounds.ts';
import { foldRounds } from './fold-rounds.ts';

const library = openLibrary();
const { alphabet } = english;
const [typed] = chaptersOf(foldRounds(newHistory(), [typedRound({ at: new Date(0) })]));

type Recent = Readonly<Record<string, RecentTally>>;

/** What is known of a player after so many rounds. */
function chapterOf(recent: Recent, rounds = 0, troubles: Record<string, number> = {}): Chapter {
  return { ...(typed as Chapter), rounds, keys: { ...newKeyTally(), recent, troubles } };
}

/** 100 presses of 200 ms, of which 96 were right; or otherwise. */
const tally = ({ presented = 100, misses = 0.04, ms = 200 } = {}): RecentTally => {
  const correct = presented * (1 - misses);
  return { presented, correct, ms: correct * ms, count: correct, at: 0 };
};
const even = Object.fromEntries([...alphabet].map((letter) => [letter, tally()]));
const biasOfE = (e: Parameters<typeof tally>[0], rounds = 0) =>
  letterBias([chapterOf({ ...even, e: tally(e) }, rounds)], alphabet).get('e') ?? Number.NaN;

const anyTally = fc
  .record({ presented: fc.nat(500), misses: fc.double({ min: 0, max: 1, noNaN: true }), ms: fc.nat(900) })
  .map(tally);
const letterTallies = fc.dictionary(fc.constantFrom(...alphabet), anyTally);
const pairNames = fc.constantFrom(...[...'abcd'].flatMap((first) => [...'efgh'].map((next) => first + next)));
/** Few times, so that several pairs gain the same. */
const pairTallies = fc
  .uniqueArray(fc.tuple(pairNames, fc.constantFrom(100, 300, 500)), {
    minLength: 2,
    selector: ([pair]) => pair,
  })
  .map((all) => all.map(([pair, ms]) => [pair, tally({ ms })] as const));

const rising = (numbers: readonly number[]) => {
  for (const [at, number] of numbers.slice(1).entries())
    expect(number).toBeGreaterThan(numbers[at] as number);
};

describe('the letters to practise more', () => {
  it('are none for somebody who types all of them alike, or nothing yet', () => {
    for (const bias of letterBias([chapterOf(even)], alphabet).values()) expect(bias).toBeCloseTo(0, 9);
    expect(letterBias([], alphabet).size).toBe(0);
    expect(letterBias([chapterOf({ th: tally() })], alphabet).size).toBe(0);
  });

  it('are the more preferred the slower, the more often missed, or the rarer they are', () => {
    rising([1, 1.1, 1.2, 1.3].map((factor) => biasOfE({ ms: 200 * factor })));
    rising([0.04, 0.05, 0.06, 0.08].map((misses) => biasOfE({ misses })));
    rising([90, 60, 30, 0].map((presented) => biasOfE({ presented })));
  });

  it('are those of somebody who types everything twice as slowly, too', () => {
    fc.assert(
      fc.property(letterTallies, (recent) => {
        const slower = Object.entries(recent).map(([letter, own]) => [letter, { ...own, ms: 2 * own.ms }]);
        const biases = letterBias([chapterOf(recent)], alphabet);
        for (const [letter, bias] of letterBias([chapterOf(Object.fromEntries(slower))], alphabet)) {
          expect(bias).toBeCloseTo(biases.get(letter) ?? Number.NaN, 9);
          expect(bias).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('depend on how letters differ, not on how often all of them are missed', () => {
    const biases = [0, 0.1, 0.3].map((usual) => {
      const all = [...alphabet].map((letter) => [
        letter,
        tally({ misses: usual + (letter === 'e' ? 0.03 : 0) }),
      ]);
      return letterBias([chapterOf(Object.fromEntries(all))], alphabet).get('e') ?? Number.NaN;
    });
    expect(biases[0]).toBeGreaterThan(0.1);
    for (const bias of biases) expect(bias).toBeCloseTo(biases[0] ?? Number.NaN, 6);
  });

  it('are in nearly every word of a drill, if there are few of them', () => {
    const practice = { ...defaultPractice, mode: { type: 'drill', on: 'letters' } } as const;
    const chapters = [chapterOf({ ...even, b: tally({ ms: 400 }) })];
    const drawn = Array.from({ length: 5 }, (_, seed) =>
      roundText(practice, { ...library.materialOf(practice, seed, newHistory()), chapters }),
    );
    for (const { words } of drawn) {
      expect(words.filter((word) => wordText(word).includes('b')).length).toBeGreaterThanOrEqual(24);
    }
  });

  it('are the same whether the presses were in one mode or in several', () => {
    fc.assert(
      fc.property(letterTallies, fc.double({ min: 0, max: 1, noNaN: true }), (recent, share) => {
        const partOf = (share: number) =>
          Object.fromEntries(
            Object.entries(recent).map(([letter, { presented, correct, ms, count, at }]) => [
              letter,
              {
                presented: share * presented,
                correct: share * correct,
                ms: share * ms,
                count: share * count,
                at,
              },
            ]),
          );
        const whole = letterBias([chapterOf(recent)], alphabet);
        const parts = letterBias([chapterOf(partOf(share)), chapterOf(partOf(1 - share))], alphabet);
        expect(parts.size).toBe(whole.size);
        for (const [letter, bias] of parts) expect(bias).toBeCloseTo(whole.get(letter) ?? Number.NaN, 6);
      }),
    );
  });

  it('are less preferred the longer ago they were slow or missed', () => {
    rising([200, 100, 50, 20].map((rounds) => biasOfE({ ms: 250 }, rounds)));
    rising([200, 100, 50, 20].map((rounds) => biasOfE({ misses: 0.08 }, rounds)));
  });

  it('that are both slow and rare count more than either, but less than both together', () => {
    const both = biasOfE({ ms: 400, presented: 20 });
    const [slow, rare] = [biasOfE({ ms: 400 }), biasOfE({ presented: 20 })];
    expect(both).toBeGreaterThan(Math.max(slow, rare));
    expect(both).toBeLessThan(slow + rare);
  });
});

describe('the pairs to practise more', () => {
  it('are the same, and in the same order, in whatever order they were first typed', () => {
    fc.assert(
      fc.property(pairTallies, fc.nat(15), (all, cut) => {
        const turned = [...all.slice(cut), ...all.slice(0, cut)].reverse();
        const namesOf = (some: typeof all) =>
          pairsToGain([chapterOf(Object.fromEntries(some))]).pairs.map(({ pair }) => pair);
        expect(namesOf(turned)).toEqual(namesOf(all));
      }),
    );
  });

  it('are those that can be drilled, those that gain most first', () => {
    fc.assert(
      fc.property(pairTallies, (all) => {
        const chapters = [chapterOf(Object.fromEntries(all))];
        const { pairs, mean } = pairsToGain(chapters);
        const drillable = pairsToGain(chapters, (pair) => pair > 'bf');
        expect(drillable).toEqual({ pairs: pairs.filter(({ pair }) => pair > 'bf'), mean });
        for (const [at, { ms, gain }] of pairs.entries()) {
          expect(ms).toBeGreaterThan(mean);
          expect(gain).toBeLessThanOrEqual(pairs[at - 1]?.gain ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });

  it('are the more preferred the slower they are, but those half as slow by more than half', () => {
    const pairs = [10, 20, 40, 80].map((excess) => ({ pair: `p${excess}`, ms: 1, excess, gain: excess }));
    const biases = [...bigramBias(pairs).values()];
    rising([0, ...biases]);
    for (const [at, bias] of biases.slice(1).entries()) expect(biases[at]).toBeGreaterThan(bias / 2);
  });
});

it('the words to practise more are words of the language, the more preferred the more often they went wrong', () => {
  const chapters = [
    chapterOf({}, 0, { once: 1, twice: 1, never: 0.5 }),
    chapterOf({}, 0, { twice: 1, often: 60, always: 90, xyz: 9 }),
  ];
  const biases = wordBias(chapters, (text) => text !== 'xyz');
  rising(['never', 'once', 'twice', 'often'].map((word) => biases.get(word) ?? Number.NaN));
  expect(biases.get('always')).toBe(biases.get('often'));
  expect([...biases.keys()].sort()).toEqual(['always', 'never', 'often', 'once', 'twice']);
});
