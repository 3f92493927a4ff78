import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readStatistics } from '../../src/contract/answer-reader.ts';
import {
  GameStateSchema,
  HistoricalStatisticsSchema,
  InputResponseSchema,
  RoundSchema,
  RoundSummarySchema,
  SessionStatisticsSchema,
} from '../../src/contract/answer-types.ts';
import { engineRules, wireMode, wireRules } from '../../src/contract/session-setup.ts';
import {
  wireHistory,
  wireResult,
  wireRound,
  wireRoundStart,
  wireSession,
  wireState,
} from '../../src/contract/typing-answers.ts';
import type { SessionStatistics } from '../../src/typing/game-state.ts';
import { gameState } from '../../src/typing/game-state.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { newRound } from '../../src/typing/round.ts';
import type { FinishedRound } from '../../src/typing/statistics/finished-round.ts';
import type { HistoricalStatistics } from '../../src/typing/statistics/historical-statistics.ts';
import { finishedStatistics } from '../../src/typing/statistics/score-statistics.ts';
import { typeInto } from '../typing/typed-round.ts';

const words = ['cat', 'dog', 'is', 'fish', 'ox'];
const practice = {
  ...defaultPractice,
  mode: { type: 'text', text: 'cat dog is fish ox', title: 'Pets' },
  rules: { earlySpace: 'skip', stopOn: 'word', backspace: 'none' },
  punctuation: true,
} as const;
const round = newRound('r1', words, practice, [1, 4]);
const setup = {
  round_id: 'r1',
  mode: { type: 'text', title: 'Pets' },
  language: 'en',
  layout: 'qwerty',
  rules: { early_space: 'skip', stop_on: 'word', backspace: 'none' },
  line_ends: [1, 4],
};

describe('the answer to an input', () => {
  test('says of each kind what it did', () => {
    const { results } = typeInto(newRound('r', ['ab', 'c']), 'ax<b_');
    const wire = results.map(wireResult);
    expect(wire).toEqual([
      { is_correct: true, timer_started: true, char_index: 0 },
      { is_correct: false, timer_started: false, char_index: 1 },
      { success: true, new_length: 1 },
      { is_correct: true, timer_started: false, char_index: 1 },
      { advanced: true, round_complete: false, treated_as_error: false },
    ]);
    expect(v.parse(InputResponseSchema, { results: wire })).toEqual({ results: wire });
  });

  test('tells a space that ended the round from one that was a mistake', () => {
    const typed = (text: string) =>
      typeInto(newRound('r', ['a']), text)
        .results.map(wireResult)
        .at(-1);
    expect(typed('a_')).toEqual({ advanced: true, round_complete: true, treated_as_error: false });
    expect(
      typeInto(newRound('r', ['ab']), 'a_')
        .results.map(wireResult)
        .at(-1),
    ).toEqual({
      advanced: false,
      round_complete: false,
      treated_as_error: true,
    });
  });
});

describe('the state of a round', () => {
  test('shows the words around the current one, and how the round was set up', () => {
    const state = wireState(gameState(typeInto(round, 'cat_do').round));
    expect(state).toEqual({
      words,
      current_word_idx: 1,
      current_input: 'do',
      timer_started: true,
      punctuation_mode: true,
      word_number: 2,
      total_words: 5,
      live_wpm: expect.any(Number),
      current_word: 'dog',
      previous_word: 'cat',
      next_word: 'is',
      next_words: ['is', 'fish', 'ox'],
      last_seq: 0,
      ...setup,
    });
    expect(state.live_wpm).toBeGreaterThan(0);
    expect(v.parse(GameStateSchema, state)).toEqual(state);
  });

  test('of a complete round stays at its last word', () => {
    const state = wireState(gameState(typeInto(newRound('r', ['a', 'b']), 'a_b_').round));
    expect(state).toMatchObject({ current_word_idx: 2, word_number: 2, total_words: 2, current_word: '' });
    expect(state).not.toHaveProperty('line_ends');
  });
});

describe('the start of a round', () => {
  test('counts words and characters', () => {
    const start = wireRoundStart({ round });
    expect(start).toEqual({ words, total_words: 5, total_characters: 14, ...setup });
    expect(v.parse(RoundSchema, start)).toEqual(start);
  });

  test('names indents, and what the words were chosen for, where there is any', () => {
    const focus = [{ text: 'th', ms: null, targetMs: 120 }];
    const round = newRound('r', ['a'], undefined, [0], [4]);
    expect(wireRoundStart({ round, focus })).toMatchObject({
      indents: [4],
      focus: [{ text: 'th', ms: null, target_ms: 120 }],
    });
  });
});

test('the statistics of a session have the names of the wire, in seconds and percent', () => {
  const statistics: SessionStatistics = {
    wpm: 41,
    accuracy: 97,
    milliseconds: 30_500,
    correctKeys: 100,
    totalKeys: 103,
    standardWpm: 42,
    rawWpm: 43,
    consistency: 80,
    correctedErrorRate: 1,
    uncorrectedErrorRate: 2,
    totalErrorRate: 3,
    kspc: 1.5,
    omitted: 4,
    measuredShare: 0.75,
    isNewBestWpm: true,
    isNewBestAccuracy: false,
    isNewBestTime: true,
    verdict: null,
  };
  const wire = wireSession(statistics);
  expect(wire).toEqual({
    wpm: 41,
    accuracy: 97,
    time_seconds: 30.5,
    correct_chars: 100,
    total_chars: 103,
    standard_wpm: 42,
    raw_wpm: 43,
    consistency: 80,
    corrected_error_rate: 1,
    uncorrected_error_rate: 2,
    total_error_rate: 3,
    kspc: 1.5,
    omitted_chars: 4,
    measured_share: 0.75,
    counts: true,
    counts_reason: null,
    is_new_best_wpm: true,
    is_new_best_accuracy: false,
    is_new_best_time: true,
  });
  expect(v.parse(SessionStatisticsSchema, wire)).toEqual(wire);
  expect(wireSession({ ...statistics, verdict: 'too_fast', isNewBestAccuracy: true })).toMatchObject({
    counts: false,
    counts_reason: 'too_fast',
    is_new_best_accuracy: true,
  });
});

test('a finished round in a list says when it ended, and of which kind it is', () => {
  const finished: FinishedRound = {
    id: 'inner',
    words: ['ab', 'c'],
    keys: [...'ab', ' ', 'c', ' '],
    seekTimes: [0, 100, 100, 100, 100],
    timing: { start: 0, end: 60_000, duration: 60_000 },
    mode: 'text',
  };
  const toWire = (round: FinishedRound) =>
    wireRound('r1', '2026-01-01T00:00:00Z', round, finishedStatistics(round), 'vim');
  const wire = toWire(finished);
  expect(wire).toMatchObject({
    id: 'r1',
    completed_at: '2026-01-01T00:00:00Z',
    mode: 'text',
    language: 'en',
    layout: 'qwerty',
    time_seconds: 60,
    accuracy: 100,
    counts: true,
    counts_reason: null,
  });
  expect(v.parse(RoundSummarySchema, wire)).toEqual(wire);
  expect(toWire({ ...finished, mode: 'drill' })).toMatchObject({
    counts: false,
    counts_reason: 'drill',
  });
});

test('the statistics of many rounds have the names of the wire, in seconds, percent and means', () => {
  const history: HistoricalStatistics = {
    rounds: 3,
    notCounted: 1,
    bestWpm: 61,
    bestStandardWpm: 62,
    bestAccuracy: 99,
    bestMs: 20_500,
    averageWpm: 51,
    averageStandardWpm: 52,
    averageAccuracy: 98,
    averageMs: 30_500,
    averageConsistency: 80,
    letters: { a: { presented: 4, correct: 3 } },
    seekTimes: { a: { ms: 300, count: 2 } },
    bigrams: { th: { ms: 400, count: 4 } },
    rhythmDeviation: 12.5,
    errors: [{ expected: 'a', typed: 's', count: 2 }],
    fingers: { '3': { presented: 2, correct: 1 } },
    rows: { '1': { presented: 5, correct: 4 } },
    hands: { left: 40, right: 60 },
    alternationRate: 55,
    sameFinger: { ms: 500, count: 5 },
  };
  const wire = wireHistory(history);
  expect(wire).toEqual({
    best_wpm: 61,
    best_accuracy: 99,
    best_time: 20.5,
    average_wpm: 51,
    average_accuracy: 98,
    average_time: 30.5,
    total_sessions: 3,
    letter_accuracy: { a: { presented: 4, correct: 3, accuracy: 75 } },
    letter_seek_time: { a: { total_time_ms: 300, count: 2, average_ms: 150 } },
    finger_stats: { '3': { presented: 2, correct: 1, accuracy: 50 } },
    row_stats: { '1': { presented: 5, correct: 4, accuracy: 80 } },
    hand_balance: { left: 40, right: 60 },
    alternation_rate: 55,
    sfb_stats: { count: 5, average_ms: 100 },
    rhythm_stddev: 12.5,
    error_patterns: [{ expected: 'a', typed: 's', count: 2 }],
    best_standard_wpm: 62,
    average_standard_wpm: 52,
    average_consistency: 80,
    bigrams: { th: { count: 4, average_ms: 100 } },
    rounds_not_counted: 1,
  });
  expect(v.parse(HistoricalStatisticsSchema, wire)).toEqual(wire);
});

describe('how a round is set up', () => {
  test('rules have the names of the wire, and come back as they were', () => {
    expect(wireRules(practice.rules)).toEqual(setup.rules);
    expect(engineRules(wireRules(practice.rules))).toEqual(practice.rules);
  });

  test('a mode leaves out the player’s own text', () => {
    expect(wireMode({ type: 'text', text: 'secret' })).toStrictEqual({ type: 'text' });
    expect(wireMode({ type: 'text', text: 'secret', title: 'T' })).toEqual({ type: 'text', title: 'T' });
    expect(wireMode({ type: 'drill', on: 'words', text: 'secret' })).toEqual({
      type: 'drill',
      on: 'words',
    });
    expect(wireMode({ type: 'time', seconds: 60 })).toEqual({ type: 'time', seconds: 60 });
  });
});

describe('statistics that do not match their schema', () => {
  const schema = v.object({
    count: v.number(),
    name: v.string(),
    is_best: v.boolean(),
    rate: v.nullable(v.number()),
    list: v.array(v.number()),
    letters: v.record(v.string(), v.object({ count: v.number() })),
    extra: v.exactOptional(v.number()),
    other: v.picklist(['x']),
  });
  const blank = { count: 0, name: '', is_best: false, rate: null, list: [], letters: {}, other: undefined };

  test.each([undefined, null, 'text', 7, [], {}])('%j is read as if everything were missing', (answer) => {
    expect(readStatistics(schema, answer)).toEqual(blank);
    expect(readStatistics(schema, answer)).not.toHaveProperty('extra');
  });

  test('keep what matches, entry by entry', () => {
    const answer = {
      ...{ count: 2, name: 'n', is_best: true, rate: 'x', list: [1, 'x', 3], extra: 4, other: 'x', more: 1 },
      letters: { a: { count: 1 }, b: 7 },
    };
    expect(readStatistics(schema, answer)).toEqual({
      ...{ count: 2, name: 'n', is_best: true, rate: null, list: [1, 0, 3], extra: 4, other: 'x' },
      letters: { a: { count: 1 }, b: { count: 0 } },
    });
    expect(readStatistics(schema, { extra: 'x' })).not.toHaveProperty('extra');
    expect(readStatistics(schema, { list: { 0: 1 }, letters: [{ count: 1 }] })).toEqual(blank);
  });

  test('are read only up to a thousand entries of a list or a record', () => {
    const list = Array.from({ length: 1_001 }, (_, at) => at);
    const letters = Object.fromEntries(list.map((at) => [`k${at}`, { count: at }]));
    const read = readStatistics(schema, { list, letters });
    expect([read.list.length, Object.keys(read.letters).length]).toEqual([1_000, 1_000]);
  });
});
