import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deleteWord,
  isDone,
  pausedRound,
  type RoundView,
  timingOf,
  typeKey,
} from '../../../src/tui/round/round-view.ts';
import {
  backspaceKey,
  defaultRules,
  type Rules,
  ruleValues,
  spaceKey,
} from '../../../src/typing/rules/rules.ts';
import { drawRound, interruptedOf, press, roundOf, typeRound, typeText } from './round-picture.ts';

const words = ['the', 'cat', 'sat'];

describe('a round', () => {
  test.each([
    ['nothing typed yet', '', '[^the]|cat|sat'],
    ['a wrong letter corrected', 'tx<h', '[th^e]|cat|sat'],
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

  test('is the same object if an action changes nothing', () => {
    const fresh = roundOf(words);
    expect(typeText(fresh, '<')).toBe(fresh);
    expect(typeText(fresh, '#')).toBe(fresh);
    expect(typeText(fresh, ' ')).toBe(fresh);
    expect(pausedRound(fresh, 5)).toBe(fresh);
    const complete = typeRound(words, 'the cat sat ');
    expect(typeText(complete, 'x')).toBe(complete);
    const full = typeRound(words, `the${'x'.repeat(32)}`);
    expect(typeText(full, 'y')).toBe(full);
  });

  test('starts its timer with the first right letter', () => {
    const round = typeText(roundOf(words), 'x<the cat sat ');
    expect(round.active).toBe(1000);
    expect(timingOf(round)).toEqual({ start: 1_000_200, end: 1_001_200, duration: 1000 });
  });

  test('measures intervals in whole milliseconds that add up exactly', () => {
    let round = roundOf(['the', 'cat']);
    for (const [at, char] of [...'the'].entries()) {
      round = typeKey(round, char, press(at * 33.4));
    }
    expect(round.log.map(({ ms }) => ms)).toEqual([0, 33, 34]);
  });

  test('sends an interval that cannot be trusted as not measured, but a pause in any case', () => {
    const later = (time: number) =>
      typeKey(typeText(roundOf(words), 't'), 'h', press(time, { measured: false }));
    for (const [time, ms] of [
      [100, 0],
      [7000, 7000],
    ] as const) {
      expect(later(time).log.at(-1)?.ms).toBe(ms);
      expect(later(time).active).toBe(time);
    }
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
  early_space: fc.constantFrom(...ruleValues.early_space),
  stop_on: fc.constantFrom(...ruleValues.stop_on),
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
    const wanted = round.words[round.progress.wordIndex]?.[round.progress.input.length];
    const key = { right: wanted ?? spaceKey, advance: spaceKey, backspace: backspaceKey }[kind] ?? char;
    const moment = press(time, { measured });
    if (kind === 'pause') round = pausedRound(round, time);
    else round = kind === 'delete-word' ? deleteWord(round, moment) : typeKey(round, key, moment);
  }
  return round;
}

describe('for any keys', () => {
  test('the inputs alone restore the round', () => {
    fc.assert(
      fc.property(anyWords, anyRules, fc.array(anyAction, { maxLength: 80 }), (list, rules, choices) => {
        const round = play(list, choices, rules);
        const { lastKey, active, ...rest } = interruptedOf(round);
        expect(round).toMatchObject(rest);
        expect(active).toBe(round.log.at(-1)?.at ?? 0);
        expect(lastKey).toBeUndefined();
      }),
    );
  });

  test('measured time never exceeds the active time, which never exceeds the time that passed', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const round = play(list, choices);
        const start = round.progress.timerStarted ? round.log.findLastIndex(({ at }) => at === 0) : 0;
        const passed = choices.reduce((sum, { gap }) => sum + gap, 0);
        const measured = round.log.slice(start + 1).reduce((sum, { ms }) => sum + ms, 0);
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
