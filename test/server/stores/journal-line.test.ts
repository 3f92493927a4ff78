import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOfLaterVersion,
  parseJournalLine,
  toJournalLine,
} from '../../../src/server/stores/journal-line.ts';
import { languageOf } from '../../../src/server/stores/languages.ts';
import { defaultRules } from '../../../src/typing/rules/rules.ts';
import { finishedStatisticsSteps } from '../../../src/typing/statistics/finished-statistics.ts';
import { historicalStatisticsSteps } from '../../../src/typing/statistics/historical-statistics.ts';
import { chaptersOf, foldRounds, newHistory } from '../../../src/typing/statistics/history.ts';
import { allAtOnce } from '../../../src/typing/statistics/steps.ts';
import { tapes } from '../../typing/random-typist.ts';
import { newJournalRound, toRoundId } from './journal-rounds.ts';
import { lines } from './random-lines.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,8}[,.;:!?]?$/), { minLength: 1, maxLength: 30 });
const whole = newJournalRound(toRoundId(1));

it('restores every round exactly, from one line', () => {
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

it.each([
  { mode: 'guided' },
  { language: 'de' },
  { layout: 'dvorak' },
  { rules: { ...defaultRules, stopOn: 'word' as const } },
])('keeps %j of a round whose other kinds are the defaults', (own) => {
  const kind = { mode: 'words-30', language: 'en', layout: 'qwerty', rules: defaultRules, ...own };
  expect(parseJournalLine(toJournalLine({ ...whole, ...kind }))).toMatchObject(kind);
  expect(parseJournalLine(toJournalLine({ ...whole, ...own }))).toMatchObject(own);
});

it('names the player, except the local one, so that version 1 can read its lines', () => {
  const player = `key-${'5'.repeat(64)}`;
  expect(parseJournalLine(toJournalLine({ ...whole, player }))).toEqual({ ...whole, player });
  expect(toJournalLine(whole)).not.toContain('player');
});

it.each([
  ['more words than its keys complete', { words: 'one two three' }],
  ['fewer words than it has keys for', { words: 'one' }],
  ['another word', { words: 'one six' }],
])('restores a round that today’s rules would not allow: %s', (_, changed) => {
  const raw = { ...JSON.parse(toJournalLine(whole)), ...changed };
  const round = parseJournalLine(JSON.stringify(raw));
  expect(round).toEqual({ ...whole, words: raw.words.split(' ') });
});

it('whatever the line is, a parsed round can be counted, shown and written again', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 4 }), (all) => {
      const rounds = all.flatMap((line) => parseJournalLine(line) ?? []);
      read += rounds.length;
      const history = foldRounds(newHistory(), rounds, languageOf);
      const shown = [
        allAtOnce(historicalStatisticsSteps(chaptersOf(history))),
        ...rounds.map((round) => allAtOnce(finishedStatisticsSteps(round))),
      ];
      expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
      const written = rounds.map(toJournalLine);
      const again = written.flatMap((line) => parseJournalLine(line) ?? []);
      expect(again.map(toJournalLine)).toEqual(written);
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(100);
});

it('distinguishes a line of a later version from a damaged one', () => {
  expect(isOfLaterVersion(toJournalLine(whole).replace('"v":1', '"v":3'))).toBe(true);
  for (const line of ['{"v":2}', '{"v":0}', '{"v":3.5}', '{"v":"3"}', '{"v":3', '[3]', 'null', '']) {
    expect(isOfLaterVersion(line)).toBe(false);
  }
});

describe('refuses', () => {
  it('every line cut short', () => {
    const line = toJournalLine(whole);
    for (let length = 0; length < line.length; length++) {
      expect(parseJournalLine(line.slice(0, length))).toBeUndefined();
    }
  });

  it.each([
    ['a later version', { v: 3 }],
    ['no id', { id: '' }],
    ['an id that is no text', { id: 7 }],
    ['a player that could be a path', { player: '../../local' }],
    ['an empty word', { words: 'one  two' }],
    ['fewer times than keys', { ms: [1, 2] }],
    ['a time that is no number', { ms: whole.keys.map(() => 'x') }],
    ['a negative time', { ms: whole.keys.map(() => -1) }],
    ['one negative time', { ms: whole.keys.map((_, at) => (at === 1 ? -1 : 7)) }],
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
