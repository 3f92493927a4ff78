import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJournalLine, toJournalLine } from '../../../src/server/sessions/journal-line.ts';
import { tapes } from '../typing/random-typist.ts';
import { newJournalRound, toRoundId } from './journal-rounds.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,8}[,.;:!?]?$/), { minLength: 1, maxLength: 30 });
const whole = newJournalRound(toRoundId(1));

it('brings back every round as it was, on one line', () => {
  fc.assert(
    fc.property(words, tapes, (words, tape) => {
      const round = newJournalRound(toRoundId(1), words, tape);
      const line = toJournalLine(round);
      expect(line).not.toContain('\n');
      expect(parseJournalLine(line)).toEqual(round);
    }),
  );
});

it('keeps characters of several units apart', () => {
  const keys = ['👩‍👩‍👧', 'e\u0301', 'a', '👍', '\b', '👍', ' ', 'x', 'y', ' '];
  const round = { ...whole, words: ['ab', 'xy'], keys, seekTimes: keys.map((_, at) => at) };
  expect(parseJournalLine(toJournalLine(round))).toEqual(round);
});

describe('refuses', () => {
  it('every line cut short', () => {
    const line = toJournalLine(whole);
    for (let length = 0; length < line.length; length++) {
      expect(parseJournalLine(line.slice(0, length))).toBeUndefined();
    }
  });

  it.each([
    ['another version', { v: 2 }],
    ['no id', { id: '' }],
    ['an id that is no text', { id: 7 }],
    ['words that its keys do not complete', { words: 'one two three' }],
    ['words that its keys complete too early', { words: 'one' }],
    ['an empty word', { words: 'one  two' }],
    ['fewer times than keys', { ms: [1, 2] }],
    ['a time that is no number', { ms: whole.keys.map(() => 'x') }],
    ['a negative time', { ms: whole.keys.map(() => -1) }],
    ['a time with a fraction', { ms: whole.keys.map(() => 0.5) }],
    ['no duration', { duration: 0 }],
    ['a start that is no number', { start: null }],
    ['an endless end', { end: 1e300 }],
    ['keys that are a list', { keys: ['o'] }],
    ['punctuation that is no truth', { punctuation: 'no' }],
  ])('%s', (_, changed) => {
    const line = JSON.stringify({ ...JSON.parse(toJournalLine(whole)), ...changed });
    expect(parseJournalLine(line)).toBeUndefined();
  });

  it('anything else, without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(parseJournalLine(text)).toBeUndefined();
      }),
    );
  });
});
