import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isComplete,
  type LocalRound,
  newLocalRound,
  restoreRound,
  toTiming,
} from '../../../src/tui/round/round.ts';
import { type Press, type RoundAction, reduceLocalRound } from '../../../src/tui/round/round-actions.ts';
import { toScore } from '../../../src/tui/round/scoring.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { newRound as newServerRound, reduceRound as reduceServerRound } from '../../../src/typing/round.ts';
import { readInput } from '../../../src/typing/rules/progress.ts';
import { defaultRules, type Rules, ruleValues } from '../../../src/typing/rules/rules.ts';
import { drawRound, press, typeRound, typeText } from './round-picture.ts';

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
    expect(drawRound(typeText(newLocalRound(words, skipping), text))).toBe(picture);
  });

  test('says how many letters were left out, and does not earn speed by typing letters again', () => {
    expect(toScore(typeText(newLocalRound(words, skipping), 'te c sat '))).toMatchObject({
      omitted: 3,
      correct: 5,
    });
    const again = typeText(newLocalRound(words), 'the<<<the<<<the cat sat ');
    expect(toScore(again)).toMatchObject({ correct: 9, total: 9 });
    expect(toScore(again).wpm).toBeLessThan(toScore(typeRound(words, 'the cat sat ')).wpm);
  });

  test('does not count if nobody types so fast, or if most intervals were not measured', () => {
    const at = (gap: number, more: Partial<Press> = {}) => {
      let round = newLocalRound(words);
      for (const [place, char] of [...'the cat sat '].entries()) {
        const moment = press(place * gap, more);
        round = reduceLocalRound(
          round,
          char === ' ' ? { type: 'advance', ...moment } : { type: 'character', char, ...moment },
        );
      }
      return toScore(round).verdict;
    };
    expect(at(100)).toBeNull();
    expect(at(5)).toBe('too_fast');
    expect(at(100, { measured: false })).toBeNull(); // a client may measure nothing at all
    const half = typeText(newLocalRound(words), 'th');
    const rest = [...'e cat sat '].reduce((round, char) => {
      const moment = press(1000, { measured: false, together: true });
      return reduceLocalRound(
        round,
        char === ' ' ? { type: 'advance', ...moment } : { type: 'character', char, ...moment },
      );
    }, half);
    expect(toScore(rest).verdict).toBe('unmeasured');
  });

  test('accepts 32 letters past the end of a word and no more', () => {
    expect(typeRound(words, `the${'x'.repeat(40)}`).typed).toHaveLength(35);
  });

  test('is the same object if an action changes nothing', () => {
    const fresh = newLocalRound(words);
    expect(typeText(fresh, '<')).toBe(fresh);
    expect(typeText(fresh, '#')).toBe(fresh);
    expect(typeText(fresh, ' ')).toBe(fresh);
    expect(reduceLocalRound(fresh, { type: 'pause', time: 5 })).toBe(fresh);
    expect(reduceLocalRound(fresh, { type: 'stall', duration: 0 })).toBe(fresh);
    const complete = typeRound(words, 'the cat sat ');
    expect(typeText(complete, 'x')).toBe(complete);
    expect(reduceLocalRound(complete, { type: 'paste' })).toBe(complete);
    const full = typeRound(words, `the${'x'.repeat(32)}`);
    expect(typeText(full, 'y')).toBe(full);
  });

  test('numbers its inputs from 1 without a gap; a deleted word is single backspaces', () => {
    const { inputs } = typeRound(words, 'thx#the ');
    expect(inputs.map(({ seq }) => seq)).toEqual(inputs.map((_, at) => at + 1));
    expect(inputs.map(({ type }) => type[0]).join('')).toBe('kkkbbbkkks');
  });

  test('starts its timer with the first right letter', () => {
    const round = typeText(newLocalRound(words), 'x<the cat sat ');
    expect(round.startedAt).toBe(1_000_200);
    expect(round.active).toBe(1000);
    expect(toTiming(round)).toEqual({
      start_time_unix_ms: 1_000_200,
      end_time_unix_ms: 1_001_200,
      duration_ms: 1000,
    });
  });

  test('has an honest duration even if that letter was never right', () => {
    const round = typeText(newLocalRound(words), 'xhe cat sat ');
    expect(round.startedAt).toBeUndefined();
    expect(toTiming(round).duration_ms).toBe(1000);
  });

  test('measures intervals in whole milliseconds that add up exactly', () => {
    let round = newLocalRound(['the', 'cat']);
    for (const [at, char] of [...'the'].entries()) {
      round = reduceLocalRound(round, { type: 'character', char, ...press(at * 33.4) });
    }
    expect(round.inputs.map(({ seek }) => seek)).toEqual([0, 33, 34]);
  });

  test('sends an interval that cannot be trusted as not measured, and says so', () => {
    const round = reduceLocalRound(typeText(newLocalRound(words), 't'), {
      type: 'character',
      char: 'h',
      ...press(100, { measured: false, together: true }),
    });
    expect(round.inputs.at(-1)?.seek).toBe(0);
    expect(round.quality).toMatchObject({ unmeasured: 1, together: 1 });
    expect(round.active).toBe(100);
  });

  test('is paused while the window is not in focus', () => {
    const paused = reduceLocalRound(typeText(newLocalRound(words), 'th'), { type: 'pause', time: 150 });
    expect(paused.isPaused).toBe(true);
    expect(reduceLocalRound(paused, { type: 'pause', time: 9000 })).toBe(paused);
    const gone = typeText(paused, 'e ', 60_000);
    expect(gone.isPaused).toBe(false);
    expect(gone.active).toBe(250);
    expect(gone.inputs.map(({ seek }) => seek)).toEqual([0, 100, 0, 100]);
  });

  test('reports the largest stall, but not that of a pause', () => {
    const stalled = reduceLocalRound(typeText(newLocalRound(words), 't'), { type: 'stall', duration: 40 });
    expect(reduceLocalRound(stalled, { type: 'stall', duration: 20 })).toBe(stalled);
    const paused = reduceLocalRound(stalled, { type: 'pause', time: 1 });
    expect(reduceLocalRound(paused, { type: 'stall', duration: 5000 }).quality.largestStall).toBe(40);
  });

  test('counts a paste and ignores its text', () => {
    const round = reduceLocalRound(newLocalRound(words), { type: 'paste' });
    expect(round.inputs).toHaveLength(0);
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
function play(list: readonly string[], choices: readonly Choice[], rules: Rules = defaultRules): LocalRound {
  let round = newLocalRound(list, rules);
  let time = 0;
  for (const { kind, char, gap, measured } of choices) {
    time += gap;
    const wanted = round.words[round.wordIndex]?.[round.typed.length];
    round = reduceLocalRound(round, toAction(kind, wanted ?? '', char, press(time, { measured })));
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
        let server = newServerRound('r', list, { ...defaultPractice, rules });
        for (const { type, char, seek, seq } of round.inputs) {
          const key = type === 'keystroke' ? char : type === 'space' ? ' ' : '\b';
          const reduction = reduceServerRound(server, { key, ms: seek, seq });
          if ('problem' in reduction) throw new Error(reduction.problem.message);
          server = reduction.round;
        }
        const { progress, score } = server;
        expect(progress.wordIndex).toBe(round.wordIndex);
        expect(readInput(progress)).toEqual(round.typed);
        expect([score.totalKeys, score.correctKeys]).toEqual([
          round.score.totalKeys,
          round.score.correctKeys,
        ]);
        expect(progress.timerStarted).toBe(round.startedAt !== undefined);
        expect(server.lastSeq).toBe(round.inputs.length);
      }),
    );
  });

  test('the inputs alone restore the round', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const round = play(list, choices);
        const { lastKey, isPaused, quality, active, ...rest } = restoreRound(list, round.inputs);
        expect(round).toMatchObject(rest);
        expect(active).toBe(round.inputs.at(-1)?.at ?? 0);
        expect([lastKey, isPaused]).toEqual([undefined, round.inputs.length > 0]);
      }),
    );
  });

  test('measured time never exceeds the active time, which never exceeds the time that passed', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const round = play(list, choices);
        const start =
          round.startedAt === undefined ? 0 : round.inputs.findIndex(({ unix }) => unix === round.startedAt);
        const passed = choices.reduce((sum, { gap }) => sum + gap, 0);
        const measured = round.inputs.slice(start + 1).reduce((sum, { seek }) => sum + seek, 0);
        expect(measured).toBeLessThanOrEqual(round.active);
        expect(round.active).toBeLessThanOrEqual(passed);
      }),
    );
  });

  test('every round can be finished', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 40 }), (list, choices) => {
        const begun = play(list, choices);
        const rest = list.slice(begun.wordIndex).map((word) => `${word} `);
        expect(isComplete(typeText(begun, isComplete(begun) ? '' : `#${rest.join('')}`, 1e6))).toBe(true);
      }),
    );
  });
});
