import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newRound, reduceRound } from '../../../src/server/typing/round.ts';
import { isComplete, newRun, type Run, restoreRun, toTiming } from '../../../src/tui/game/run.ts';
import { type RunAction, reduceRun } from '../../../src/tui/game/run-actions.ts';
import { drawRun, press, typeRound, typeText } from './run-picture.ts';

const words = ['the', 'cat', 'sat'];

describe('a run', () => {
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
    expect(drawRun(typeRound(words, text))).toBe(picture);
  });

  test('takes 32 letters past the end of a word and no more', () => {
    expect(typeRound(words, `the${'x'.repeat(40)}`).typed).toHaveLength(35);
  });

  test('is the very same object when an action changes nothing', () => {
    const fresh = newRun(words);
    expect(typeText(fresh, '<')).toBe(fresh);
    expect(typeText(fresh, '#')).toBe(fresh);
    expect(typeText(fresh, ' ')).toBe(fresh);
    expect(reduceRun(fresh, { type: 'pause', time: 5 })).toBe(fresh);
    expect(reduceRun(fresh, { type: 'stall', duration: 0 })).toBe(fresh);
    const complete = typeRound(words, 'the cat sat ');
    expect(typeText(complete, 'x')).toBe(complete);
    expect(reduceRun(complete, { type: 'paste' })).toBe(complete);
    const full = typeRound(words, `the${'x'.repeat(32)}`);
    expect(typeText(full, 'y')).toBe(full);
  });

  test('numbers its inputs from 1 without a gap; a deleted word is single backspaces', () => {
    const { inputs } = typeRound(words, 'thx#the ');
    expect(inputs.map(({ seq }) => seq)).toEqual(inputs.map((_, at) => at + 1));
    expect(inputs.map(({ type }) => type[0]).join('')).toBe('kkkbbbkkks');
  });

  test('starts its clock with the first right letter', () => {
    const run = typeText(newRun(words), 'x<the cat sat ');
    expect(run.startedAt).toBe(1_000_200);
    expect(run.active).toBe(1100);
    expect(toTiming(run)).toEqual({
      start_time_unix_ms: 1_000_200,
      end_time_unix_ms: 1_001_300,
      duration_ms: 1100,
    });
  });

  test('has an honest duration even if that letter was never right', () => {
    const run = typeText(newRun(words), 'xhe cat sat ');
    expect(run.startedAt).toBeUndefined();
    expect(toTiming(run).duration_ms).toBe(1100);
  });

  test('measures intervals in whole milliseconds that add up exactly', () => {
    let run = newRun(['the']);
    for (const [at, char] of [...'the'].entries()) {
      run = reduceRun(run, { type: 'character', char, ...press(at * 33.4) });
    }
    expect(run.inputs.map(({ seek }) => seek)).toEqual([0, 33, 34]);
  });

  test('sends an interval that cannot be trusted as not measured, and says so', () => {
    const run = reduceRun(typeText(newRun(words), 't'), {
      type: 'character',
      char: 'h',
      ...press(100, { measured: false, together: true }),
    });
    expect(run.inputs.at(-1)?.seek).toBe(0);
    expect(run.quality).toMatchObject({ unmeasured: 1, together: 1 });
    expect(run.active).toBe(100);
  });

  test('stands still while nobody looks', () => {
    const paused = reduceRun(typeText(newRun(words), 'th'), { type: 'pause', time: 150 });
    expect(paused.isPaused).toBe(true);
    expect(reduceRun(paused, { type: 'pause', time: 9000 })).toBe(paused);
    const gone = typeText(paused, 'e ', 60_000);
    expect(gone.isPaused).toBe(false);
    expect(gone.active).toBe(250);
    expect(gone.inputs.map(({ seek }) => seek)).toEqual([0, 100, 0, 100]);
  });

  test('tells the largest stall, but not that of a pause', () => {
    const stalled = reduceRun(typeText(newRun(words), 't'), { type: 'stall', duration: 40 });
    expect(reduceRun(stalled, { type: 'stall', duration: 20 })).toBe(stalled);
    const paused = reduceRun(stalled, { type: 'pause', time: 1 });
    expect(reduceRun(paused, { type: 'stall', duration: 5000 }).quality.largestStall).toBe(40);
  });

  test('counts a paste and takes nothing from it', () => {
    const run = reduceRun(newRun(words), { type: 'paste' });
    expect(run.inputs).toHaveLength(0);
    expect(run.quality.pastes).toBe(1);
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

interface Choice {
  readonly kind: string;
  readonly char: string;
  readonly gap: number;
  readonly measured: boolean;
}

/** Plays choices; a right one types what the word wants next. */
function play(list: readonly string[], choices: readonly Choice[]): Run {
  let run = newRun(list);
  let time = 0;
  for (const { kind, char, gap, measured } of choices) {
    time += gap;
    const wanted = run.words[run.wordIndex]?.[run.typed.length];
    run = reduceRun(run, toAction(kind, wanted ?? '', char, press(time, { measured })));
  }
  return run;
}

function toAction(kind: string, wanted: string, char: string, moment: ReturnType<typeof press>): RunAction {
  if (kind === 'pause') return { type: 'pause', time: moment.time };
  if (kind === 'backspace' || kind === 'delete-word') return { type: kind, ...moment };
  if (kind === 'advance' || (kind === 'right' && wanted === '')) return { type: 'advance', ...moment };
  return { type: 'character', char: kind === 'right' ? wanted : char, ...moment };
}

describe('whatever is typed', () => {
  test('the server, given the inputs, is at the same place with the same counts', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const run = play(list, choices);
        let round = newRound('r', list, false);
        for (const { type, char, seek, seq } of run.inputs) {
          const key = type === 'keystroke' ? char : type === 'space' ? ' ' : '\b';
          const reduction = reduceRound(round, { key, ms: seek, seq });
          if ('problem' in reduction) throw new Error(reduction.problem.message);
          round = reduction.round;
        }
        const { progress } = round;
        expect(progress.wordIndex).toBe(run.wordIndex);
        expect(progress.input).toEqual(run.typed);
        expect([progress.totalKeys, progress.correctKeys]).toEqual([run.total, run.correct]);
        expect(progress.timerStarted).toBe(run.startedAt !== undefined);
        expect(round.lastSeq).toBe(run.inputs.length);
      }),
    );
  });

  test('the inputs alone bring the run back', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const run = play(list, choices);
        const { lastKey, isPaused, quality, active, ...rest } = restoreRun(list, run.inputs);
        expect(run).toMatchObject(rest);
        expect(active).toBe(run.inputs.at(-1)?.at ?? 0);
        expect([lastKey, isPaused]).toEqual([undefined, run.inputs.length > 0]);
      }),
    );
  });

  test('measured time never exceeds the active time, which never exceeds the time that passed', () => {
    fc.assert(
      fc.property(anyWords, fc.array(anyAction, { maxLength: 80 }), (list, choices) => {
        const run = play(list, choices);
        const start =
          run.startedAt === undefined ? 0 : run.inputs.findIndex(({ unix }) => unix === run.startedAt);
        const passed = choices.reduce((sum, { gap }) => sum + gap, 0);
        const measured = run.inputs.slice(start + 1).reduce((sum, { seek }) => sum + seek, 0);
        expect(measured).toBeLessThanOrEqual(run.active);
        expect(run.active).toBeLessThanOrEqual(passed);
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
