import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isDone,
  type Press,
  type RoundAction,
  type RoundView,
  reduceRoundView,
  timingOf,
} from '../../../src/tui/round/round-view.ts';
import { scoreOf } from '../../../src/tui/round/scoring.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newRound, readInputs, reduceRound } from '../../../src/typing/round.ts';
import { readInput } from '../../../src/typing/rules/progress.ts';
import { defaultRules, type Rules, ruleValues } from '../../../src/typing/rules/rules.ts';
import { drawRound, press, restored, roundOf, typeRound, typeText } from './round-picture.ts';

const words = ['the', 'cat', 'sat'];
const skipping: Rules = { ...defaultRules, earlySpace: 'skip' };

describe('a round', () => {
  test.each([
    ['nothing typed yet', '', '[^the]|cat|sat'],
    ['right letters', 'th', '[th^e]|cat|sat'],
    ['a wrong letter', 'tx', '[t!x^e]|cat|sat'],
    ['a wrong letter corrected', 'tx<h', '[th^e]|cat|sat'],
    ['a word left right', 'the ', 'the|[^cat]|sat'],
    ['a word left wrong', 'thx ', 'th!x|[^cat]|sat'],
    ['extra letters', 'thexy', '[the!x!y^]|cat|sat'],
    ['a space too early is a wrong letter', 'th ', '[th! ^]|cat|sat'],
    ['a space at the beginning of a later word too', 'the  ', 'the|[! ^at]|sat'],
    ['a space before anything is typed is nothing', ' t', '[t^he]|cat|sat'],
    ['Backspace at the beginning never goes back', 'the <', 'the|[^cat]|sat'],
    ['deleting the word', 'the cx#', 'the|[^cat]|sat'],
    ['the last word', 'the cat sat ', 'the|cat|sat'],
    ['nothing counts after it', 'the cat sat xyz', 'the|cat|sat'],
  ])('%s', (_, text, picture) => {
    expect(drawRound(typeRound(words, text))).toBe(picture);
  });

  test.each([
    ['a letter left out ends the word, and the next one is not swallowed', 'te cat ', 't!e|cat|[^sat]'],
    ['the rest of a word left out', 't c s ', 't|c|s'],
    ['a space at the beginning of a word is still a wrong letter', 'the  ', 'the|[! ^at]|sat'],
  ])('under the rule that a space ends a word: %s', (_, text, picture) => {
    expect(drawRound(typeText(roundOf(words, skipping), text))).toBe(picture);
  });

  test('says how many letters were left out, and does not earn speed by typing letters again', () => {
    expect(scoreOf(typeText(roundOf(words, skipping), 'te c sat '))).toMatchObject({
      omitted: 3,
      correctKeys: 5,
    });
    const again = typeText(roundOf(words), 'the<<<the<<<the cat sat ');
    expect(scoreOf(again)).toMatchObject({ correctKeys: 9, totalKeys: 9 });
    expect(scoreOf(again).wpm).toBeLessThan(scoreOf(typeRound(words, 'the cat sat ')).wpm);
  });

  test('does not count if nobody types so fast, or if most intervals were not measured', () => {
    const at = (gap: number, more: Partial<Press> = {}) => {
      let round = roundOf(words);
      for (const [place, char] of [...'the cat sat '].entries()) {
        const moment = press(place * gap, more);
        round = reduceRoundView(
          round,
          char === ' ' ? { type: 'advance', ...moment } : { type: 'character', char, ...moment },
        );
      }
      return scoreOf(round).verdict;
    };
    expect(at(100)).toBeNull();
    expect(at(5)).toBe('too_fast');
    expect(at(100, { measured: false })).toBeNull(); // a client may measure nothing at all
    const half = typeText(roundOf(words), 'th');
    const rest = [...'e cat sat '].reduce((round, char) => {
      const moment = press(1000, { measured: false, together: true });
      return reduceRoundView(
        round,
        char === ' ' ? { type: 'advance', ...moment } : { type: 'character', char, ...moment },
      );
    }, half);
    expect(scoreOf(rest).verdict).toBe('unmeasured');
  });

  test('accepts 32 letters past the end of a word and no more', () => {
    expect(typeRound(words, `the${'x'.repeat(40)}`).typed).toHaveLength(35);
  });

  test('is the same object if an action changes nothing', () => {
    const fresh = roundOf(words);
    expect(typeText(fresh, '<')).toBe(fresh);
    expect(typeText(fresh, '#')).toBe(fresh);
    expect(typeText(fresh, ' ')).toBe(fresh);
    expect(reduceRoundView(fresh, { type: 'pause', time: 5 })).toBe(fresh);
    const complete = typeRound(words, 'the cat sat ');
    expect(typeText(complete, 'x')).toBe(complete);
    expect(reduceRoundView(complete, { type: 'paste' })).toBe(complete);
    const full = typeRound(words, `the${'x'.repeat(32)}`);
    expect(typeText(full, 'y')).toBe(full);
  });

  test('has single backspaces for a deleted word', () => {
    const keys = readInputs(typeRound(words, 'thx#the ')).map(({ key }) => key);
    expect(keys).toEqual([...'thx\b\b\bthe ']);
  });

  test('starts its timer with the first right letter', () => {
    const round = typeText(roundOf(words), 'x<the cat sat ');
    expect(round.active).toBe(1000);
    expect(timingOf(round)).toEqual({ start: 1_000_200, end: 1_001_200, duration: 1000 });
  });

  test('has an honest duration even if that letter was never right', () => {
    const round = typeText(roundOf(words), 'xhe cat sat ');
    expect(round.progress.timerStarted).toBe(false);
    expect(timingOf(round).duration).toBe(1000);
  });

  test('measures intervals in whole milliseconds that add up exactly', () => {
    let round = roundOf(['the', 'cat']);
    for (const [at, char] of [...'the'].entries()) {
      round = reduceRoundView(round, { type: 'character', char, ...press(at * 33.4) });
    }
    expect(readInputs(round).map(({ ms }) => ms)).toEqual([0, 33, 34]);
  });

  test('sends an interval that cannot be trusted as not measured, and says so', () => {
    const round = reduceRoundView(typeText(roundOf(words), 't'), {
      type: 'character',
      char: 'h',
      ...press(100, { measured: false, together: true }),
    });
    expect(readInputs(round).at(-1)?.ms).toBe(0);
    expect(round.quality).toMatchObject({ unmeasured: 1, together: 1 });
    expect(round.active).toBe(100);
  });

  test('is paused while the window is not in focus', () => {
    const paused = reduceRoundView(typeText(roundOf(words), 'th'), { type: 'pause', time: 150 });
    expect(paused.isPaused).toBe(true);
    expect(reduceRoundView(paused, { type: 'pause', time: 9000 })).toBe(paused);
    const gone = typeText(paused, 'e ', 60_000);
    expect(gone.isPaused).toBe(false);
    expect(gone.active).toBe(250);
    expect(readInputs(gone).map(({ ms }) => ms)).toEqual([0, 100, 0, 100]);
  });

  test('counts a paste and ignores its text', () => {
    const round = reduceRoundView(roundOf(words), { type: 'paste' });
    expect(round.inputCount).toBe(0);
    expect(round.quality.pastes).toBe(1);
  });
});

const anyWords = fc.array(fc.stringMatching(/^[a-z]{1,8}[,.!?]?$/), { minLength: 1, maxLength: 6 });
const anyAction = fc.record({
  kind: fc.constantFrom(
    'right',
    'right',
    'right',
    'right',
    'wrong',
    'advance',
    'advance',
    'backspace',
    'delete-word',
    'pause',
  ),
  char: fc.constantFrom('x', 'e', 'é', '漢', '😀', '?', '␣'),
  gap: fc.integer({ min: 0, max: 400 }),
  measured: fc.boolean(),
});

const anyRules = fc.record({
  earlySpace: fc.constantFrom(...ruleValues.earlySpace),
  stopOn: fc.constantFrom(...ruleValues.stopOn),
  backspace: fc.constantFrom(...ruleValues.backspace),
});

interface Choice {
  readonly kind: string;
  readonly char: string;
  readonly gap: number;
  readonly measured: boolean;
}

/** Plays choices; a right one types what the word wants next. */
function play(list: readonly string[], choices: readonly Choice[], rules: Rules = defaultRules): RoundView {
  let round = roundOf(list, rules);
  let time = 0;
  for (const { kind, char, gap, measured } of choices) {
    time += gap;
    const wanted = round.words[round.progress.wordIndex]?.[round.typed.length];
    round = reduceRoundView(round, toAction(kind, wanted ?? '', char, press(time, { measured })));
  }
  return round;
}

function toAction(kind: string, wanted: string, char: string, moment: ReturnType<typeof press>): RoundAction {
  if (kind === 'pause') return { type: 'pause', time: moment.time };
  if (kind === 'backspace' || kind === 'delete-word') return { type: kind, ...moment };
  if (kind === 'advance' || (kind === 'right' && wanted === '')) return { type: 'advance', ...moment };
  return { type: 'character', char: kind === 'right' ? wanted : char, ...moment };
}

describe('for any keys', () => {
  test('the server gets to the same place with the same counts', () => {
    fc.assert(
      fc.property(anyWords, anyRules, fc.array(anyAction, { maxLength: 80 }), (list, rules, choices) => {
        const round = play(list, choices, rules);
        let server = newRound('r', list, { ...defaultPractice, rules });
        for (const input of readInputs(round)) {
          const reduction = reduceRound(server, input);
          if ('problem' in reduction) throw new Error(reduction.problem.message);
          server = reduction.round;
        }
        const { progress, score } = server;
        expect(progress.wordIndex).toBe(round.progress.wordIndex);
        expect(readInput(progress)).toEqual(round.typed);
        expect([score.totalKeys, score.correctKeys]).toEqual([
          round.score.totalKeys,
          round.score.correctKeys,
        ]);
        expect(progress.timerStarted).toBe(round.progress.timerStarted);
        expect(server.inputCount).toBe(round.inputCount);
      }),
    );
  });

  test('the inputs alone restore the round', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const round = play(list, choices);
        const { lastKey, isPaused, quality, active, startUnix, endUnix, ...rest } = restored(round);
        expect(round).toMatchObject(rest);
        expect(active).toBe(round.moments.at(-1) ?? 0);
        expect([lastKey, isPaused]).toEqual([undefined, round.inputCount > 0]);
      }),
    );
  });

  test('measured time never exceeds the active time, which never exceeds the time that passed', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const round = play(list, choices);
        const start = round.progress.timerStarted ? round.moments.lastIndexOf(0) : 0;
        const passed = choices.reduce((sum, { gap }) => sum + gap, 0);
        const measured = readInputs(round)
          .slice(start + 1)
          .reduce((sum, { ms }) => sum + ms, 0);
        expect(measured).toBeLessThanOrEqual(round.active);
        expect(round.active).toBeLessThanOrEqual(passed);
      }),
    );
  });

  test('every round can be finished', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 40 }), (list, choices) => {
        const begun = play(list, choices);
        const rest = list.slice(begun.progress.wordIndex).map((word) => `${word} `);
        expect(isDone(typeText(begun, isDone(begun) ? '' : `#${rest.join('')}`, 1e6))).toBe(true);
      }),
    );
  });
});
