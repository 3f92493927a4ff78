import { describe, expect, it } from 'vitest';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { newRound } from '../../src/typing/round.ts';
import { replayRound } from '../../src/typing/statistics/finished-round.ts';
import { newHistory } from '../../src/typing/statistics/history.ts';
import { addToScore, newScore } from '../../src/typing/statistics/score.ts';
import { roundStatistics, timeRound } from '../../src/typing/timing.ts';
import { foldRounds } from './fold-rounds.ts';
import { type, typeInto } from './typed-round.ts';

describe('timing', () => {
  const timing = { start: 1_000, end: 7_000, duration: 6_000 };
  const { round } = type('one two', 'one_txo_', 100);
  const timed = timeRound(round, timing, newHistory());
  if ('problem' in timed || timed.finished === undefined) throw new Error('the timing was refused');
  const { finished } = timed;

  const refused = { problem: { code: 'INVALID_REQUEST', message: expect.stringMatching(/^\w.*\.$/) } };

  it('is refused with a sentence before the last word, and if the end is before the start', () => {
    const early = timeRound(type('one two', 'one_').round, timing, newHistory());
    expect(early).toMatchObject(refused);
    const backwards = timeRound(round, { ...timing, end: 999 }, newHistory());
    expect(backwards).toMatchObject(refused);
    expect(timeRound(round, { ...timing, end: 1_000 }, newHistory())).toHaveProperty('finished');
  });

  it('of a timed test is within two seconds of its time, otherwise it is refused', () => {
    const practice = { ...defaultPractice, mode: { type: 'time', seconds: 5 } } as const;
    const test = typeInto(newRound('r', ['one', 'two'], practice), 'on').round;
    const endAfter = (duration: number) => timeRound(test, { ...timing, duration }, newHistory());
    for (const duration of [3_000, 5_000, 7_000]) {
      // Of its words, those that were reached.
      expect(endAfter(duration)).toMatchObject({ finished: { words: ['one'], keys: ['o', 'n'] } });
    }
    for (const duration of [0, 2_999, 7_001]) expect(endAfter(duration)).toMatchObject(refused);
  });

  it('says of a drill that it does not count', () => {
    const practice = { ...defaultPractice, mode: { type: 'drill', on: 'letters' } } as const;
    const drill = typeInto(newRound('r', ['one', 'two'], practice), 'one_two_').round;
    expect(roundStatistics(drill).counts_reason).toBe('drill');
    const ended = timeRound(drill, timing, newHistory());
    if ('problem' in ended) throw new Error('the timing was refused');
    expect(roundStatistics(ended.round)).toMatchObject({ counts_reason: 'drill', is_new_best_wpm: false });
  });

  it('returns the same round for the same values, and refuses others', () => {
    expect(timeRound(timed.round, { ...timing }, newHistory())).toEqual({ round: timed.round });
    for (const other of [{ start: 1_001 }, { end: 7_001 }, { duration: 6_001 }]) {
      expect(timeRound(timed.round, { ...timing, ...other }, newHistory())).toMatchObject(refused);
    }
  });

  it('compares with the history before the round: the same result again is not a new best, but in another mode', () => {
    const history = foldRounds(newHistory(), [finished]);
    const bestsAfter = (changed: Partial<typeof timing>) => {
      const later = timeRound({ ...round, id: 'later' }, { ...timing, ...changed }, history);
      return 'round' in later ? later.round.newBests : undefined;
    };
    expect(bestsAfter({})).toEqual({ wpm: false, accuracy: false, time: false });
    expect(bestsAfter({ duration: 5_999 })).toEqual({ wpm: true, accuracy: false, time: true });
    expect(bestsAfter({ duration: 6_001 })).toEqual({ wpm: false, accuracy: false, time: false });
    const elsewhere = foldRounds(newHistory(), [{ ...finished, mode: 'text' }]);
    const first = timeRound({ ...round, id: 'later' }, { ...timing, duration: 9_000 }, elsewhere);
    expect(first).toMatchObject({ round: { newBests: { wpm: true, accuracy: true, time: true } } });
  });

  it('never starts with a letter of a later word: until the first is right, a space on its own is not a keystroke', () => {
    const late = type('ab cd', 'xy_c<_cd_').round;
    expect(roundStatistics(late)).toMatchObject({ total_chars: 4, correct_chars: 2 });
    const reported = timeRound(late, timing, newHistory());
    if ('problem' in reported || reported.finished === undefined) throw new Error('the timing was refused');
    const score = newScore();
    replayRound(reported.finished, (report) => addToScore(score, report));
    expect(score).toEqual(late.score);
  });
});
