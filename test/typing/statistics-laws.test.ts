import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wireState } from '../../src/contract/typing-answers.ts';
import { pairsToGain } from '../../src/typing/choice/weaknesses.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { newRound, reduceRoundBatch } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import { historicalSteps } from '../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, newHistory } from '../../src/typing/statistics/history.ts';
import { roundStatistics, timeRound } from '../../src/typing/timing.ts';
import { resultOf } from '../support/steps.ts';
import { expectClose } from './close-to.ts';
import { foldRounds } from './fold-rounds.ts';
import { expectSlowest, naiveSlowPairs } from './naive-slow-pairs.ts';
import {
  documentedRules,
  naiveHistory,
  naiveSession,
  naiveState,
  type RawEvent,
  type RawRound,
  transcribe,
} from './naive-statistics.ts';
import { anyRules, tapes, typeRandomly, typeUnderRules } from './random-typist.ts';

const words = fc.array(fc.stringMatching(/^[A-Z]?[a-z]{1,6}[,.]?$/), { minLength: 1, maxLength: 6 });

const rawRounds = fc
  .record({ words, tape: tapes, punctuation: fc.boolean(), duration_ms: fc.integer({ min: 1, max: 60_000 }) })
  .map(({ tape, ...round }): RawRound & { duration_ms: number } => ({
    ...round,
    events: typeRandomly(round.words, tape),
  }));

const ruledRounds = fc
  .record({ words, tape: fc.array(fc.nat(99_999), { maxLength: 60 }), rules: anyRules })
  .map(
    ({ tape, ...round }): RawRound => ({
      ...round,
      punctuation: false,
      events: typeUnderRules(round.words, round.rules, tape),
    }),
  );

const toInput = ({ type, char = '', seek_time_ms }: RawEvent) =>
  newInput(type === 'keystroke' ? char : type === 'space' ? spaceKey : backspaceKey, seek_time_ms);

function typed(id: string, { words, punctuation, events, rules = documentedRules }: RawRound) {
  const practice = { ...defaultPractice, punctuation, rules };
  const reduction = reduceRoundBatch(newRound(id, words, practice), events.map(toInput));
  if ('problem' in reduction) throw new Error(reduction.problem.message);
  return reduction;
}

it('in the middle of a round, answers, state and statistics are those of a second, naive computation', () => {
  fc.assert(
    fc.property(fc.oneof(rawRounds, ruledRounds), fc.nat(), (round, pick) => {
      const { duration_ms: _, ...whole } = round;
      const raw = { ...whole, events: whole.events.slice(0, pick % (whole.events.length + 1)) };
      const { round: taken, result } = typed('r', raw);
      expect(result).toEqual(transcribe(raw).results);
      expectClose(wireState(taken), {
        ...naiveState(raw),
        last_seq: 0,
        round_id: 'r',
      });
      expectClose(roundStatistics(taken), naiveSession(raw, []));
    }),
    { numRuns: 400 },
  );
});

it('over many rounds, bests and all historical statistics are those of a second, naive computation', () => {
  const finished = fc
    .oneof(rawRounds, ruledRounds)
    .map((raw) => ({ duration_ms: 20_000, ...raw }))
    .filter((raw) => transcribe(raw).word === raw.words.length);
  fc.assert(
    fc.property(fc.array(finished, { maxLength: 5 }), (raws) => {
      let history = newHistory();
      for (const [at, raw] of raws.entries()) {
        const timing = { start: 5, end: 5 + raw.duration_ms, duration: raw.duration_ms };
        const timed = timeRound(typed(String(at), raw).round, timing, history);
        if ('problem' in timed) throw new Error(timed.problem.message);
        expectClose(roundStatistics(timed.round), naiveSession(raw, raws.slice(0, at)));
        history = foldRounds(history, [timed.finished as FinishedRound]);
      }
      expectClose(resultOf(historicalSteps(chaptersOf(history))), naiveHistory(raws));
      const { pairs, mean } = pairsToGain(chaptersOf(history));
      const told = pairs.map(({ pair, ms }) => ({ text: pair, ms, target_ms: mean }));
      expectSlowest(told, naiveSlowPairs(raws), 24);
    }),
    { numRuns: 100 },
  );
});
