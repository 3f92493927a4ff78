import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FinishedRound } from '../../../src/server/typing/finished-round.ts';
import { toGameState } from '../../../src/server/typing/game-state.ts';
import { toHistoricalStatistics } from '../../../src/server/typing/historical-statistics.ts';
import { foldRounds, newHistory } from '../../../src/server/typing/history.ts';
import { backspaceKey, spaceKey } from '../../../src/server/typing/progress.ts';
import { newRound, reduceRoundBatch } from '../../../src/server/typing/round.ts';
import { newInput } from '../../../src/server/typing/round-input.ts';
import { toSessionStatistics } from '../../../src/server/typing/session-statistics.ts';
import { timeRound } from '../../../src/server/typing/timing.ts';
import { expectClose } from './close-to.ts';
import {
  naiveHistory,
  naiveSession,
  naiveState,
  type RawEvent,
  type RawRound,
  transcribe,
} from './naive-statistics.ts';
import { tapes, typeRandomly } from './random-typist.ts';

const rawRounds = fc
  .record({
    words: fc.array(fc.stringMatching(/^[a-z]{1,6}[,.]?$/), { minLength: 1, maxLength: 6 }),
    tape: tapes,
    punctuation: fc.boolean(),
    duration_ms: fc.integer({ min: 1, max: 600_000 }),
  })
  .map(({ tape, ...round }) => ({ ...round, events: typeRandomly(round.words, tape) }));

const toInput = ({ type, char = '', seek_time_ms }: RawEvent) =>
  newInput(type === 'keystroke' ? char : type === 'space' ? spaceKey : backspaceKey, seek_time_ms);

function typed(id: string, { words, punctuation, events }: RawRound) {
  const reduction = reduceRoundBatch(newRound(id, words, punctuation), events.map(toInput));
  if ('problem' in reduction) throw new Error(reduction.problem.message);
  return reduction;
}

it('in the middle of a round, answers, state and statistics are those of a second, naive computation', () => {
  fc.assert(
    fc.property(rawRounds, fc.nat(), ({ duration_ms: _, ...whole }, pick) => {
      const raw = { ...whole, events: whole.events.slice(0, pick % (whole.events.length + 1)) };
      const { round, result } = typed('r', raw);
      expect(result).toEqual(transcribe(raw).results);
      expectClose(toGameState(round), { ...naiveState(raw), last_seq: 0 });
      expectClose(toSessionStatistics(round), naiveSession(raw, []));
    }),
    { numRuns: 200 },
  );
});

it('over many rounds, bests and all historical statistics are those of a second, naive computation', () => {
  fc.assert(
    fc.property(fc.array(rawRounds, { maxLength: 5 }), (raws) => {
      let history = newHistory();
      for (const [at, raw] of raws.entries()) {
        const timing = { start: 5, end: 5 + raw.duration_ms, duration: raw.duration_ms };
        const timed = timeRound(typed(String(at), raw).round, timing, history);
        if ('problem' in timed) throw new Error(timed.problem.message);
        expectClose(toSessionStatistics(timed.round), naiveSession(raw, raws.slice(0, at)));
        history = foldRounds(history, [timed.finished as FinishedRound]);
      }
      expectClose(toHistoricalStatistics(history), naiveHistory(raws));
    }),
    { numRuns: 100 },
  );
});
