// Answers of the typing API as examples: the engine types a short round when the document is made.

import { qwerty } from '../../typing/letters/layout.ts';
import type { Practice } from '../../typing/modes/practice.ts';
import { defaultPractice } from '../../typing/modes/practice.ts';
import { newRound, type Round, reduceRoundBatch } from '../../typing/round.ts';
import { newInput, type RoundInput } from '../../typing/round-input.ts';
import { spaceKey } from '../../typing/rules/rules.ts';
import type { FinishedRound } from '../../typing/statistics/finished-round.ts';
import { historicalStatistics } from '../../typing/statistics/historical-statistics.ts';
import { chaptersOf, foldRounds, newHistory } from '../../typing/statistics/history.ts';
import { finishedStatistics } from '../../typing/statistics/score-statistics.ts';
import { sessionStatistics, timeRound } from '../../typing/timing.ts';
import { wireHistory, wireRound, wireRoundStart, wireSession, wireState } from '../typing-answers.ts';

const words = ['they', 'said', 'that', 'number', 'sound', 'water', 'little', 'people', 'again', 'right'];
const practice: Practice = { ...defaultPractice, mode: { type: 'words', count: words.length } };
const roundId = '5b0bbe4f-2f0c-4a92-8f0e-6d1f1a6e8e57';
const start = Date.UTC(2026, 0, 15, 9, 30);
const timing = { start, end: start + 12_000, duration: 12_000 };

const keys = words.flatMap((word) => [...word, spaceKey]);
const inputs = keys.map((key, at) => newInput(key, 170 + 15 * (at % 7), at + 1));

const fresh = newRound(roundId, words, practice);
const half = typed(fresh, inputs.slice(0, 12));
const { round: complete, finished } = timed(typed(half, inputs.slice(12)));

function typed(round: Round, some: readonly RoundInput[]): Round {
  const reduction = reduceRoundBatch(round, some);
  if ('problem' in reduction) throw new Error(reduction.problem.message);
  return reduction.round;
}

function timed(round: Round): { readonly round: Round; readonly finished: FinishedRound } {
  const result = timeRound(round, timing, newHistory());
  if ('problem' in result || result.finished === undefined) throw new Error('The example is not finished.');
  return { round: result.round, finished: result.finished };
}

const completedAt = new Date(timing.end).toISOString();
const chapters = chaptersOf(foldRounds(newHistory(), [finished]));

export const typingExamples = {
  sessionId: '9f8b6c1d2e3f40516273849506a7b8c9',
  roundId,
  words,
  startedAt: new Date(timing.start).toISOString(),
  completedAt,
  timing: {
    start_time_unix_ms: timing.start,
    end_time_unix_ms: timing.end,
    duration_ms: timing.duration,
  },
  roundStart: wireRoundStart({ round: fresh }),
  state: wireState(half),
  session: wireSession(sessionStatistics(complete)),
  history: wireHistory(historicalStatistics(chapters, () => qwerty)),
  finishedRound: wireRound(roundId, completedAt, finished, finishedStatistics(finished), 'my-editor'),
  events: words.flatMap((word) => [
    ...[...word].map((char) => ({ type: 'keystroke', char, seek_time_ms: 180 })),
    { type: 'space', seek_time_ms: 180 },
  ]),
};
