import { describe, expect, test } from 'vitest';
import { toFarewell } from '../../src/cli/commands/play/farewell.ts';
import { toRemainder } from '../../src/tui/remainder.ts';
import { newLocalRound } from '../../src/tui/round/round.ts';
import { typeRound } from '../tui/round/round-picture.ts';

const words = ['the', 'cat'];
const midway = typeRound(words, 'the c');
const whole = typeRound(words, 'the cat ');
const score = { standardWpm: 61.24, accuracy: 97.49, seconds: 20, verdict: null };
const typing = { screen: 'typing', leftRound: undefined } as const;

describe('the line that stays when the screen is gone', () => {
  test.each([
    [
      'Ctrl+C in a round',
      { ...typing, round: midway },
      true,
      true,
      /^The unfinished round is kept: .* at word 2 of 2\.\n$/,
    ],
    [
      'Esc twice in a round',
      { ...typing, round: midway },
      false,
      false,
      /^The unfinished round was discarded\.\n$/,
    ],
    [
      'Ctrl+C on a full disk',
      { ...typing, round: midway },
      true,
      false,
      /^The unfinished round could not be kept/,
    ],
    [
      'Ctrl+C before the first key',
      { ...typing, round: newLocalRound(words) },
      true,
      false,
      /^Nothing was typed\.\n$/,
    ],
    ['Esc before there are words', { ...typing, round: undefined }, false, false, /^Nothing was typed\.\n$/],
    [
      'Ctrl+C in the palette',
      { ...typing, screen: 'palette', round: midway },
      true,
      true,
      /^The unfinished round is kept/,
    ],
  ] as const)('%s', (_name, app, keepUnfinished, isOnDisk, line) => {
    const remainder = toRemainder(app, { keepUnfinished }, isOnDisk);
    expect(toFarewell({ scores: [], remainder })).toMatch(line);
  });

  test('a round of an earlier run that was not decided on is kept, whatever key leaves', () => {
    const head = { session: 's', server: 'x', punctuation: false, words, pid: 1, created: 0 };
    const rules = midway.rules;
    const unsent = { path: '', head: { ...head, rules }, inputs: [...midway.inputs], isOver: false };
    const app = { screen: 'resume', leftRound: { unsent, round: midway }, round: undefined } as const;
    for (const keepUnfinished of [true, false]) {
      const remainder = toRemainder(app, { keepUnfinished }, false);
      expect(toFarewell({ scores: [], remainder })).toMatch(/next start goes on at word 2 of 2\.\n$/);
    }
  });

  test('finished rounds come first, and one that no server has yet is named', () => {
    const nothing = toRemainder(
      { ...typing, screen: 'results', round: whole },
      { keepUnfinished: false },
      false,
    );
    expect(toFarewell({ scores: [score], remainder: nothing })).toBe('One round: 61.2 WPM at 97.4 %.\n');
    const undelivered = toRemainder(
      { ...typing, screen: 'results', round: whole },
      { keepUnfinished: false },
      true,
    );
    expect(toFarewell({ scores: [score, score], remainder: undelivered })).toBe(
      '2 rounds: the last 61.2 WPM at 97.4 %, the fastest 61.2 WPM.\nThe last round waits for the server: a later start delivers it.\n',
    );
    const kept = toRemainder({ ...typing, round: midway }, { keepUnfinished: true }, true);
    expect(toFarewell({ scores: [score], remainder: kept }).split('\n')).toHaveLength(3);
  });
});
