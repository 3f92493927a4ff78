import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterBias } from '../../src/typing/choice/weaknesses.ts';
import { english } from '../../src/typing/letters/language.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { type Chapter, chaptersOf, foldRounds, newHistory } from '../../src/typing/statistics/history.ts';
import { newKeyTally } from '../../src/typing/statistics/key-tally.ts';

interface Letter {
  readonly presented: number;
  readonly correct: number;
  readonly seekMs: number;
  readonly seekCount: number;
}

/** What a typist without weaknesses has met of each letter. */
const even: Letter = { presented: 100, correct: 95, seekMs: 20_000, seekCount: 100 };

/** A chapter in which these letters were met, and the others like `others`. */
function chapterOf(letters: Readonly<Record<string, Partial<Letter>>>, others: Letter = even): Chapter {
  const [chapter] = chaptersOf(foldRounds(newHistory(), [none]));
  const all = [...english.alphabet].map((letter) => [letter, toRecent({ ...others, ...letters[letter] })]);
  const keys = { ...newKeyTally(), recent: Object.fromEntries(all) };
  return { ...(chapter as Chapter), keys };
}

/** As of the latest round. */
const toRecent = ({ presented, correct, seekMs, seekCount }: Letter) => ({
  presented,
  correct,
  ms: seekMs,
  count: seekCount,
  at: 1,
});

const none: FinishedRound = {
  id: 'r',
  words: ['a'],
  keys: ['a', ' '],
  seekTimes: [0, 0],
  timing: { start: 0, end: 60_000, duration: 60_000 },
};

const biasOf = (letter: string, chapter: Chapter) =>
  letterBias([chapter], english.alphabet).get(letter) as number;

describe('the bias of a letter', () => {
  it('is zero for every letter, without a history and with an even one', () => {
    expect(letterBias([], english.alphabet)).toEqual(new Map());
    for (const letter of english.alphabet) expect(biasOf(letter, chapterOf({}))).toBeCloseTo(0, 9);
  });
});

it('law: a bias is a number from 0 to 2.6, whatever the history', () => {
  const letter = fc
    .record({ presented: fc.nat(500), missed: fc.nat(100), seekCount: fc.nat(400), pace: fc.nat(4_999) })
    .map(({ presented, missed, seekCount, pace }) => ({
      presented,
      correct: Math.round((presented * (100 - missed)) / 100),
      seekCount,
      seekMs: seekCount * pace,
    }));
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]$/), letter), letter, (letters, others) => {
      const biases = letterBias([chapterOf(letters, others)], english.alphabet);
      for (const bias of biases.values()) {
        expect(bias).toBeGreaterThanOrEqual(0);
        expect(bias).toBeLessThanOrEqual(2.6);
      }
    }),
  );
});

it('forgets: a letter that was weak a hundred rounds ago and is strong now is not preferred', () => {
  const words = ['about', 'quite', 'house'];
  const round = (id: number, slips: boolean): FinishedRound => {
    const keys = words
      .flatMap((word) => [...word, ' '])
      .flatMap((key) => (slips && key === 'q' ? ['x', '\b', key] : [key]));
    return { ...none, id: String(id), words, keys, seekTimes: keys.map((key) => (key === '\b' ? 0 : 150)) };
  };
  const rounds = (weak: number, strong: number) =>
    Array.from({ length: weak + strong }, (_, at) => round(at, at < weak));
  const biasAfter = (weak: number, strong: number) =>
    letterBias(chaptersOf(foldRounds(newHistory(), rounds(weak, strong))), english.alphabet).get(
      'q',
    ) as number;
  const [fresh, half, old, never] = [
    biasAfter(30, 0),
    biasAfter(30, 100),
    biasAfter(30, 150),
    biasAfter(0, 180),
  ];
  expect(fresh).toBeGreaterThan(1.4);
  expect(half).toBeLessThan(fresh);
  expect(old - never).toBeLessThan(0.05 * (fresh - never));
});
