import { describe, expect, test } from 'vitest';
import { farewellText } from '../../src/cli/commands/play/run-play.ts';
import { remainderOf } from '../../src/tui/play.ts';
import { roundOf, typeRound } from '../tui/round/round-picture.ts';

const words = ['the', 'cat'];
const midway = typeRound(words, 'the c');
const whole = typeRound(words, 'the cat ');
const score = { standard_wpm: 61.24, accuracy: 97.49, seconds: 20, verdict: null };

describe('the lines that remain after play', () => {
  const discarded = /^The unfinished round was discarded\.\n$/;
  const kept = /^The unfinished round is kept: .* at word 2 of 2\.\n$/;
  test.each([
    ['Ctrl+C in a round', midway, true, true, kept],
    ['Esc twice in a round', midway, false, false, discarded],
    ['Ctrl+C on a full disk', midway, true, false, /^The .* could not be saved/],
    ['Ctrl+C before a key', roundOf(words), true, false, /^Nothing was typed\.\n$/],
    ['Esc before there are words', undefined, false, false, /^Nothing was typed\.\n$/],
  ] as const)('%s', (_name, round, keepUnfinished, isOnDisk, line) => {
    const remainder = remainderOf(round, keepUnfinished, isOnDisk);
    expect(farewellText({ scores: [], remainder })).toMatch(line);
  });

  test('finished rounds come first, and an undelivered one is named', () => {
    const nothing = remainderOf(whole, false, false);
    expect(farewellText({ scores: [score], remainder: nothing })).toBe('One round: 61.2 WPM at 97.4 %.\n');
    const undelivered = remainderOf(whole, false, true);
    const drill = { ...score, verdict: 'drill' as const };
    expect(farewellText({ scores: [score, drill], remainder: undelivered })).toBe(
      '2 rounds: the last 61.2 WPM at 97.4 % (not counted).\nThe last round waits for the server: a later start delivers it.\n',
    );
  });
});
