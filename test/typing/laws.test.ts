import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newRound, type Round, reduceRound, reduceRoundBatch } from '../../src/typing/round.ts';
import { newInput, type RoundInput } from '../../src/typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { historicalSteps } from '../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, newHistory } from '../../src/typing/statistics/history.ts';
import { timeRound } from '../../src/typing/timing.ts';
import { resultOf } from '../support/steps.ts';
import { expectClose } from './close-to.ts';
import { foldRounds } from './fold-rounds.ts';
import { tapes, typeRandomly } from './random-typist.ts';

const words = fc.array(fc.stringMatching(/^[a-e]{1,6}[,.]?$/), { minLength: 1, maxLength: 8 });

/** A round's words with the keys of a random typist, numbered or not, complete. */
const rounds = fc
  .record({ id: fc.uuid(), words, tape: tapes, isNumbered: fc.boolean() })
  .map(({ id, words, tape, isNumbered }) => {
    const inputs = typeRandomly(words, tape).map(({ type, char = '', seek_time_ms }, at) =>
      newInput(
        type === 'keystroke' ? char : type === 'space' ? spaceKey : backspaceKey,
        seek_time_ms,
        isNumbered ? at + 1 : 0,
      ),
    );
    return { id, words, inputs };
  });

/** Anything that a client may send in the middle of a round, refused or not. */
const anyInput = fc
  .record({
    key: fc.constantFrom(...'abcxyz,é', spaceKey, backspaceKey),
    ms: fc.nat(6000),
    seq: fc.nat(5),
  })
  .map(({ key, ms, seq }) => newInput(key, ms, seq));

function reduceAll(start: Round, inputs: readonly RoundInput[]): Round {
  const reduction = reduceRoundBatch(start, inputs);
  if ('problem' in reduction) throw new Error(`input ${reduction.at}: ${reduction.problem.message}`);
  return reduction.round;
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

function finish(id: string, words: readonly string[], inputs: readonly RoundInput[]): FinishedRound {
  const round = reduceAll(newRound(id, words), inputs);
  const timed = timeRound(round, { start: 0, end: 1, duration: 30_000 + inputs.length }, newHistory());
  if ('problem' in timed || timed.finished === undefined) throw new Error('the round is not complete');
  return timed.finished;
}

it('reducing a JSON copy gives the same result as reducing the original, and neither is changed', () => {
  fc.assert(
    fc.property(rounds, fc.array(anyInput, { maxLength: 20 }), ({ id, words, inputs }, more) => {
      let round = deepFreeze(newRound(id, words));
      for (const input of deepFreeze([...inputs.slice(0, 40), ...more])) {
        const reduction = reduceRound(round, input);
        expect(reduceRound(copyOf(round), copyOf(input))).toEqual(reduction);
        if ('round' in reduction) round = deepFreeze(reduction.round);
      }
    }),
  );
});

it('repeating any number changes nothing and returns the first answer', () => {
  fc.assert(
    fc.property(rounds, fc.nat(), ({ id, words, inputs }, pick) => {
      const numbered = inputs.map(({ key, ms }, at) => newInput(key, ms, at + 1));
      const batch = reduceRoundBatch(newRound(id, words), numbered);
      if ('problem' in batch) throw new Error(batch.problem.message);
      const at = pick % numbered.length;
      const again = reduceRound(batch.round, numbered[at] as RoundInput);
      expect(again).toEqual({ round: batch.round, result: batch.result[at] });
      expect('round' in again && again.round).toBe(batch.round);
      const all = reduceRoundBatch(batch.round, numbered);
      expect(all).toEqual(batch);
      expect('round' in all && all.round).toBe(batch.round);
    }),
  );
});

it('a batch equals its single inputs, wherever it is cut', () => {
  fc.assert(
    fc.property(rounds, fc.nat(), ({ id, words, inputs }, pick) => {
      const start = newRound(id, words);
      const cut = pick % inputs.length;
      const inTwo = reduceAll(reduceAll(start, inputs.slice(0, cut)), inputs.slice(cut));
      let single = start;
      for (const input of inputs) {
        const reduction = reduceRound(single, input);
        if ('round' in reduction) single = reduction.round;
      }
      expect(reduceAll(start, inputs)).toEqual(inTwo);
      expect(single).toEqual(inTwo);
    }),
  );
});

it('a batch with a refused input gives no new round', () => {
  fc.assert(
    fc.property(rounds, anyInput, ({ id, words, inputs }, more) => {
      const start = deepFreeze(newRound(id, words));
      const refused = reduceRoundBatch(start, [...inputs, newInput(more.key, more.ms)]);
      expect(refused).toMatchObject({ at: inputs.length, problem: { code: 'ROUND_NOT_STARTED' } });
    }),
  );
});

it('folding rounds one by one, all at once, or in another order gives the same history', () => {
  fc.assert(
    fc.property(fc.array(rounds, { minLength: 1, maxLength: 6 }), (all) => {
      const finished = deepFreeze(all.map(({ id, words, inputs }) => finish(id, words, inputs)));
      const atOnce = foldRounds(deepFreeze(newHistory()), finished);
      const oneByOne = finished.reduce(
        (history, round) => foldRounds(deepFreeze(history), [round]),
        newHistory(),
      );
      expect(oneByOne).toEqual(atOnce);
      expect(foldRounds(newHistory(), copyOf(finished))).toEqual(atOnce);
      const backwards = foldRounds(newHistory(), [...finished].reverse());
      expectClose(
        resultOf(historicalSteps(chaptersOf(backwards))),
        resultOf(historicalSteps(chaptersOf(atOnce))),
      );
    }),
  );
});
