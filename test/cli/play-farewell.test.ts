import { describe, expect, test } from 'vitest';
import { farewellText } from '../../src/cli/commands/play/run-play.ts';
import { remainderOf } from '../../src/tui/play.ts';
import { roundOf, typeRound } from '../tui/round/round-picture.ts';

const words = ['the', 'cat'];
const midway = typeRound(words, 'the c');
const whole = typeRound(words, 'the cat ');
const score = { standardWpm: 61.24, accuracy: 97.49, seconds: 20, verdict: null };
const typing = { screen: 'typing', interrupted: undefined } as const;

describe('the lines that remain after play', () => {
  const discarded = /^The unfinished round was discarded\.\n$/;
  const kept = /^The unfinished round is kept: .* at word 2 of 2\.\n$/;
  const undecided = { screen: 'resume', interrupted: midway, round: undefined } as const;
  const inPalette = { ...typing, screen: 'palette', round: midway } as const;
  test.each([
    ['Ctrl+C in a round', { ...typing, round: midway }, true, true, kept],
    ['Esc twice in a round', { ...typing, round: midway }, false, false, discarded],
    ['Ctrl+C on a full disk', { ...typing, round: midway }, true, false, /^The .* could not be saved/],
    ['Ctrl+C before a key', { ...typing, round: roundOf(words) }, true, false, /^Nothing was typed\.\n$/],
    ['Esc before there are words', { ...typing, round: undefined }, false, false, /^Nothing was typed\.\n$/],
    ['Ctrl+C in the palette', inPalette, true, true, kept],
    ['Ctrl+C at the question of an earlier round', undecided, true, false, kept],
    ['Esc at the question of an earlier round', undecided, false, false, kept],
  ] as const)('%s', (_name, state, keepUnfinished, isOnDisk, line) => {
    const remainder = remainderOf(state, keepUnfinished, isOnDisk);
    expect(farewellText({ scores: [], remainder })).toMatch(line);
  });

  test('finished rounds come first, and an undelivered one is named', () => {
    const nothing = remainderOf({ ...typing, screen: 'results', round: whole }, false, false);
    expect(farewellText({ scores: [score], remainder: nothing })).toBe('One round: 61.2 WPM at 97.4 %.\n');
    const undelivered = remainderOf({ ...typing, screen: 'results', round: whole }, false, true);
    const drill = { ...score, verdict: 'drill' as const };
    expect(farewellText({ scores: [score, drill], remainder: undelivered })).toBe(
      '2 rounds: the last 61.2 WPM at 97.4 % (not counted).\nThe last round waits for the server: a later start delivers it.\n',
    );
  });
});
