import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type History, newHistory } from '../../../src/server/typing/history.ts';
import { letterCount } from '../../../src/server/typing/keyboard.ts';
import { toLetterBias } from '../../../src/server/typing/letter-bias.ts';

interface Letter {
  readonly presented: number;
  readonly correct: number;
  readonly seekMs: number;
  readonly seekCount: number;
}

/** What a typist without weaknesses has met of each letter. */
const even: Letter = { presented: 100, correct: 95, seekMs: 20_000, seekCount: 100 };

function historyOf(letters: Readonly<Record<string, Partial<Letter>>>, others: Letter = even): History {
  const all = Array.from({ length: letterCount }, (_, at) => ({
    ...others,
    ...letters[String.fromCharCode(97 + at)],
  }));
  const list = (field: keyof Letter) => all.map((letter) => letter[field]);
  const history = newHistory();
  return {
    ...history,
    keys: {
      ...history.keys,
      presented: list('presented'),
      correct: list('correct'),
      seekMs: list('seekMs'),
      seekCount: list('seekCount'),
    },
  };
}

const biasOf = (letter: string, history: History) =>
  toLetterBias(history)[letter.charCodeAt(0) - 97] as number;

describe('the bias of a letter', () => {
  it('is nothing for every letter, without a history and with an even one', () => {
    const none = new Array(letterCount).fill(0);
    expect(toLetterBias(newHistory())).toEqual(none);
    expect(toLetterBias(historyOf({})).map((bias) => Math.round(bias * 1e9))).toEqual(none);
  });

  it('is full for a letter that is always missed or found twice as slowly, and no more for one worse still', () => {
    expect(biasOf('q', historyOf({ q: { correct: 0 } }))).toBeCloseTo(1.5, 10);
    expect(biasOf('q', historyOf({ q: { seekMs: 40_000 } }))).toBeCloseTo(1.5, 10);
    expect(biasOf('q', historyOf({ q: { correct: 0, seekMs: 90_000 } }))).toBeCloseTo(1.5, 10);
  });

  it('grows with the misses and with the seek time, up to full', () => {
    const missed = [95, 93, 91, 90, 89].map((correct) => biasOf('q', historyOf({ q: { correct } })));
    const slow = [200, 210, 220, 230, 250].map((ms) => biasOf('q', historyOf({ q: { seekMs: ms * 100 } })));
    for (const biases of [missed, slow]) {
      for (let at = 1; at < biases.length; at++) expect(biases[at]).toBeGreaterThan(biases[at - 1] as number);
      expect(biases.at(-1)).toBeLessThan(1.5);
    }
  });

  it('is nothing for a letter that is better than the typist’s average', () => {
    const worse = { correct: 80, seekMs: 30_000 };
    expect(biasOf('q', historyOf({ e: worse, t: worse, q: { correct: 100, seekMs: 10_000 } }))).toBeCloseTo(
      0,
      10,
    );
  });

  it('is the greater of the two weaknesses, not their sum', () => {
    const alone = [{ correct: 91 }, { seekMs: 23_000 }].map((q) => biasOf('q', historyOf({ q })));
    const both = biasOf('q', historyOf({ q: { correct: 91, seekMs: 23_000 } }));
    expect(both).toBeCloseTo(Math.max(...alone), 10);
  });

  it('of a letter met a few times moves little with a single slip, and the less the more it was met', () => {
    const afterSlip = (presented: number) => {
      const letter = { presented, correct: presented, seekMs: 0, seekCount: 0 };
      const slipped = { ...letter, correct: presented - 1 };
      return biasOf('q', historyOf({ q: slipped })) - biasOf('q', historyOf({ q: letter }));
    };
    const moves = [4, 8, 16, 30].map(afterSlip);
    for (let at = 1; at < moves.length; at++) expect(moves[at]).toBeLessThan(moves[at - 1] as number);
    expect(moves[0]).toBeLessThan(1);
    expect(moves.at(-1)).toBeGreaterThanOrEqual(0);
  });

  it('is that of a letter never met, where only the others were', () => {
    const never = { presented: 0, correct: 0, seekMs: 0, seekCount: 0 };
    expect(biasOf('q', historyOf({ q: never }))).toBeCloseTo(1.1, 10);
    expect(biasOf('q', historyOf({ q: { presented: 48, correct: 46, seekCount: 0 } }))).toBeGreaterThan(0.4);
  });

  it('of a letter both weak and rare is less than the two together, and more than each', () => {
    const rare = { presented: 20, correct: 19, seekMs: 4_000, seekCount: 20 };
    const rareAlone = biasOf('q', historyOf({ q: rare }));
    const both = biasOf('q', historyOf({ q: { ...rare, correct: 0 } }));
    expect(both).toBeGreaterThan(1.5);
    expect(both).toBeCloseTo(1.5 + rareAlone / 2, 10);
  });

  it('does without seek times where none were counted', () => {
    const untimed = { ...even, seekMs: 0, seekCount: 0 };
    expect(biasOf('q', historyOf({ q: { correct: 0 } }, untimed))).toBeCloseTo(1.5, 10);
    expect(biasOf('e', historyOf({ q: { correct: 0 } }, untimed))).toBeCloseTo(0, 10);
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
      const biases = toLetterBias(historyOf(letters, others));
      expect(biases).toHaveLength(letterCount);
      for (const bias of biases) {
        expect(bias).toBeGreaterThanOrEqual(0);
        expect(bias).toBeLessThanOrEqual(2.6);
      }
    }),
  );
});
