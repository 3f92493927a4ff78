import { describe, expect, it } from 'vitest';
import { completes } from '../../../src/server/typing/finished-round.ts';
import { toGameState } from '../../../src/server/typing/game-state.ts';
import { foldRounds, newHistory } from '../../../src/server/typing/history.ts';
import { addKeys, newKeyTally } from '../../../src/server/typing/key-tally.ts';
import { newRound } from '../../../src/server/typing/round.ts';
import { toSessionStatistics } from '../../../src/server/typing/session-statistics.ts';
import { timeRound } from '../../../src/server/typing/timing.ts';
import { type } from './typed-round.ts';

describe('the game state', () => {
  it('shows the current word, its neighbours and at most three next words', () => {
    expect(toGameState(type('one two three four five six', 'one_t', 600).round)).toEqual({
      words: ['one', 'two', 'three', 'four', 'five', 'six'],
      current_word_idx: 1,
      current_input: 't',
      timer_started: true,
      punctuation_mode: false,
      word_number: 2,
      total_words: 6,
      live_wpm: 4 / 5 / ((4 * 600) / 60_000),
      current_word: 'two',
      previous_word: 'one',
      next_word: 'three',
      next_words: ['three', 'four', 'five'],
      last_seq: 0,
    });
  });

  it('has no speed before the timer starts, nor while no time is measured', () => {
    expect(toGameState(type('one two', 'xne', 600).round).live_wpm).toBe(0);
    expect(toGameState(type('one two', 'one', 0).round).live_wpm).toBe(0);
  });

  it('stays readable after the last word', () => {
    expect(toGameState(type('one two', 'one_two_').round)).toMatchObject({
      current_word_idx: 2,
      word_number: 2,
      current_word: '',
      current_input: '',
      previous_word: 'two',
      next_word: '',
      next_words: [],
    });
  });
});

describe('timing', () => {
  const timing = { start: 1_000, end: 7_000, duration: 6_000 };
  const { round } = type('one two', 'one_txo_', 100);
  const timed = timeRound(round, timing, newHistory());
  if ('problem' in timed || timed.finished === undefined) throw new Error('the timing was refused');
  const { finished } = timed;

  it('is refused before the last word and where the end lies before the start', () => {
    const early = timeRound(type('one two', 'one_').round, timing, newHistory());
    expect(early).toMatchObject({ problem: { code: 'INVALID_REQUEST' } });
    const backwards = timeRound(round, { ...timing, end: 999 }, newHistory());
    expect(backwards).toMatchObject({ problem: { code: 'INVALID_REQUEST' } });
    expect(timeRound(round, { ...timing, end: 1_000 }, newHistory())).toHaveProperty('finished');
  });

  it('gives the same round back for the same values, and refuses others', () => {
    expect(timeRound(timed.round, { ...timing }, newHistory())).toEqual({ round: timed.round });
    for (const other of [{ start: 1_001 }, { end: 7_001 }, { duration: 6_001 }]) {
      expect(timeRound(timed.round, { ...timing, ...other }, newHistory())).toMatchObject({
        problem: { code: 'INVALID_REQUEST' },
      });
    }
  });

  it('counts time from the duration, and from the seek times before it arrives', () => {
    expect(toSessionStatistics(round)).toMatchObject({ wpm: 5 / 5 / (700 / 60_000), time_seconds: 0.7 });
    expect(toSessionStatistics(timed.round)).toEqual({
      wpm: 10,
      accuracy: (5 / 6) * 100,
      time_seconds: 6,
      correct_chars: 5,
      total_chars: 6,
      is_new_best_wpm: true,
      is_new_best_accuracy: true,
      is_new_best_time: true,
    });
  });

  it('tells bests against the history before the round: the same again is no new best', () => {
    const history = foldRounds(newHistory(), [finished]);
    const bestsAfter = (changed: Partial<typeof timing>) => {
      const later = timeRound({ ...round, id: 'later' }, { ...timing, ...changed }, history);
      return 'round' in later ? later.round.newBests : undefined;
    };
    expect(bestsAfter({})).toEqual({ wpm: false, accuracy: false, time: false });
    expect(bestsAfter({ duration: 5_999 })).toEqual({ wpm: true, accuracy: false, time: true });
    expect(bestsAfter({ duration: 6_001 })).toEqual({ wpm: false, accuracy: false, time: false });
  });

  it('counts no best before it arrives', () => {
    expect(toSessionStatistics(round)).toMatchObject({ is_new_best_wpm: false, is_new_best_time: false });
    expect(toSessionStatistics(newRound('r', ['a'], false))).toMatchObject({ wpm: 0, accuracy: 0 });
  });

  it('never starts by a letter of a later word: until the first is right, an empty space is no keystroke', () => {
    const late = type('ab cd', 'xy_c<_cd_').round;
    expect(toSessionStatistics(late)).toMatchObject({ total_chars: 5, correct_chars: 3 });
    const reported = timeRound(late, timing, newHistory());
    if ('problem' in reported || reported.finished === undefined) throw new Error('the timing was refused');
    expect(addKeys(newKeyTally(), reported.finished)).toEqual({ totalKeys: 5, correctKeys: 3 });
  });

  it('makes a finished round of keys that complete its words', () => {
    expect(completes(finished)).toBe(true);
  });
});

describe('keys that do not complete their words', () => {
  const keys = [...'ab cd '];
  it.each([
    ['too few', keys.slice(0, -1)],
    ['too many', [...keys, 'x']],
    ['none', []],
  ])('are told apart: %s', (_, some) => {
    expect(completes({ words: ['ab', 'cd'], keys: some })).toBe(false);
  });
  it('and so are no words', () => {
    expect(completes({ words: [], keys: [] })).toBe(false);
    expect(completes({ words: ['ab', 'cd'], keys })).toBe(true);
  });
});

describe('a space where nothing is typed', () => {
  it.each([
    ['is a key once the timer runs', 'ab c', 'ab   ', true],
    ['is none where the first letter was wrong', 'ab c', 'xb   ', false],
    ['is none where the first letter came second', 'aa c', 'xa   ', false],
    ['is none where only a later word began rightly', 'ab ac', 'xb a\b   ', false],
    ['is none before the first key', 'a c', '    ', false],
  ])('%s', (_, words, keys, isComplete) => {
    expect(completes({ words: words.split(' '), keys: [...keys] })).toBe(isComplete);
  });
});
