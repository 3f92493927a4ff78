import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { newRound, type Round, reduceRound, reduceRoundBatch } from '../../src/typing/round.ts';
import { newInput, type RoundInput } from '../../src/typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import { charactersOf, wordOf } from '../../src/typing/rules/word.ts';
import { draw, type, typeInto } from './typed-round.ts';

describe('typing characters', () => {
  it('reports for each keystroke whether it matches and at which position', () => {
    const { round, results } = type('cat dog', 'cxt');
    expect(draw(round)).toBe('*[c!xt]|dog');
    expect(results).toEqual([
      { type: 'keystroke', isCorrect: true, timerStarted: true, charIndex: 0 },
      { type: 'keystroke', isCorrect: false, timerStarted: false, charIndex: 1 },
      { type: 'keystroke', isCorrect: true, timerStarted: false, charIndex: 2 },
    ]);
  });

  it('starts the timer once, with the first correct keystroke of the very first letter', () => {
    const starts = (text: string) =>
      type('cat dog', text).results.map((result) => 'timerStarted' in result && result.timerStarted);
    expect(starts('x<c<c')).toEqual([false, false, true, false, false]);
    expect(draw(type('cat dog', 'xat_').round)).toBe('cat|[]');
    expect(starts('xat_dog')).not.toContain(true);
  });

  it('keeps up to 32 characters past the end of a word, all wrong, and refuses the next one without changing anything', () => {
    const { round } = type('cat dog', `cat${'t'.repeat(32)}`);
    expect(round.score).toMatchObject({ totalKeys: 35, correctKeys: 3 });
    expect(refusal(round, newInput('t'))).toEqual({
      code: 'INVALID_REQUEST',
      message: 'At most 32 characters fit past the end of a word.',
    });
    expect(draw(typeInto(round, '_').round)).toBe('*cat|[]');
  });

  it('compares whole characters, however many units they have', () => {
    const { round } = type('cat dog', 'cét');
    expect(draw(round)).toBe('*[c!ét]|dog');
    const family = reduceRound(newRound('r', ['ab']), newInput('👩‍👩‍👧'));
    expect(family).toMatchObject({ round: { progress: { length: 1 }, score: { totalKeys: 1 } } });
  });
});

describe('space', () => {
  it('goes to the next word once the word is covered, right or wrong', () => {
    expect(type('cat dog', 'xyz_').results.at(-1)).toEqual({
      type: 'space',
      advanced: true,
      roundComplete: false,
      treatedAsError: false,
    });
    expect(draw(type('cat dog', 'cats_').round)).toBe('*cat|[]');
  });

  it('counts as a wrong keystroke in the middle of a word and stays there', () => {
    const { round, results } = type('cat dog', 'c_t');
    expect(draw(round)).toBe('*[c!_t]|dog');
    expect(results[1]).toEqual({
      type: 'space',
      advanced: false,
      roundComplete: false,
      treatedAsError: true,
    });
    expect(round.score).toMatchObject({ totalKeys: 3, correctKeys: 2 });
  });

  it('counts as wrong at the beginning of a word while the timer runs, and before that if something is typed', () => {
    expect(draw(type('cat dog', 'cat__').round)).toBe('*cat|[!_]');
    expect(draw(type('cat dog', 'x_').round)).toBe('[!x!_]|dog');
  });

  it('does nothing if nothing is typed and the timer is not running', () => {
    const { round, results } = type('cat dog', '_');
    expect(results).toEqual([
      { type: 'space', advanced: false, roundComplete: false, treatedAsError: false },
    ]);
    expect(draw(round)).toBe('[]|dog');
    expect(round.score.totalKeys).toBe(0);
    expect(draw(type('cat dog', 'xat__').round)).toBe('cat|[]');
  });

  it('completes the round after the last word; then every key except a repeated one is refused', () => {
    const { round, results } = type('cat dog', 'cat_dog_');
    expect(results.at(-1)).toEqual({
      type: 'space',
      advanced: true,
      roundComplete: true,
      treatedAsError: false,
    });
    for (const key of ['c', spaceKey, backspaceKey]) {
      expect(refusal(round, newInput(key))?.code).toBe('ROUND_NOT_STARTED');
    }
  });

  it('needs the mark of a word in punctuation mode', () => {
    expect(draw(type('cat, dog', 'cat_').round)).toBe('*[cat!_]|dog');
    expect(draw(type('cat, dog', 'cat,_').round)).toBe('*cat,|[]');
  });
});

describe('backspace', () => {
  it('removes the last character, is not a keystroke, and stops at the beginning of the word', () => {
    const { round, results } = type('cat dog', 'cat_d<<');
    expect(results.slice(-2)).toEqual([
      { type: 'backspace', success: true, newLength: 0 },
      { type: 'backspace', success: false, newLength: 0 },
    ]);
    expect(draw(round)).toBe('*cat|[]');
    expect(round.score.totalKeys).toBe(4);
  });
});

describe('time', () => {
  it('adds up the seek times since the start of the timer, including spaces and errors', () => {
    expect(type('cat dog', 'c', 70).round.score.elapsedMs).toBe(0);
    expect(type('cat dog', 'x<c', 70).round.score.elapsedMs).toBe(0);
    expect(type('cat dog', 'cx<at_', 70).round.score.elapsedMs).toBe(4 * 70);
  });
});

describe('numbered inputs', () => {
  const numbered = (text: string, first = 1): RoundInput[] =>
    [...text].map((key, at) => newInput(key, 50, first + at));
  const batch = reduceRoundBatch(newRound('r', ['cat', 'dog']), numbered('cxt'));
  if ('problem' in batch) throw new Error(batch.problem.message);
  const { round, result } = batch;

  it('get the first answer again for a repeated number, whatever is sent with it', () => {
    for (const [at, first] of result.entries()) {
      const again = reduceRound(round, newInput('z', 900, at + 1));
      expect(again).toEqual({ round, result: first });
      expect('round' in again && again.round).toBe(round);
    }
  });

  it('must not leave a gap; the error names the expected number', () => {
    expect(refusal(round, newInput('z', 0, 5))).toEqual({
      code: 'INVALID_REQUEST',
      message: 'seq leaves a gap: 4 is expected next.',
    });
  });

  it('must not repeat a number with another kind of input', () => {
    expect(refusal(round, newInput(backspaceKey, 0, 2))?.message).toBe(
      'This seq was already used for a keystroke.',
    );
    const more = reduceRoundBatch(round, [newInput(backspaceKey, 0, 4), newInput(spaceKey, 0, 5)]);
    if ('problem' in more) throw new Error(more.problem.message);
    for (const [seq, kind] of [
      [4, 'backspace'],
      [5, 'space'],
    ] as const) {
      expect(refusal(more.round, newInput('x', 0, seq))).toEqual({
        code: 'INVALID_REQUEST',
        message: `This seq was already used for a ${kind}.`,
      });
    }
  });

  it('are not used up by an input that is refused', () => {
    const full = typeInto(round, 'x'.repeat(32)).round;
    expect(refusal(full, newInput('x', 0, 4))?.message).toContain('32 characters');
    expect(reduceRound(full, newInput(backspaceKey, 0, 4))).toMatchObject({ round: { lastSeq: 4 } });
  });

  it('can be mixed with inputs without a number', () => {
    const mixed = typeInto(round, '<x').round;
    expect(mixed.lastSeq).toBe(3);
    expect(reduceRound(mixed, newInput('z', 0, 2))).toMatchObject({ result: { charIndex: 1 } });
    expect(reduceRound(mixed, newInput('t', 0, 4))).toMatchObject({ result: { charIndex: 3 } });
  });

  it('are answered again after the round is complete', () => {
    const whole = reduceRoundBatch(newRound('r', ['ab']), [...numbered('ab'), newInput(spaceKey, 0, 3)]);
    if ('problem' in whole) throw new Error(whole.problem.message);
    expect(reduceRound(whole.round, newInput(spaceKey, 0, 3))).toMatchObject({
      result: { roundComplete: true },
    });
    expect(refusal(whole.round, newInput('x', 0, 4))?.code).toBe('ROUND_NOT_STARTED');
  });
});

describe('a batch', () => {
  it('says which event is refused, and applies none', () => {
    const start = newRound('r', ['ab']);
    const refused = reduceRoundBatch(
      start,
      ['a', 'b', spaceKey, 'c'].map((key) => newInput(key)),
    );
    expect(refused).toMatchObject({ at: 3, problem: { code: 'ROUND_NOT_STARTED' } });
    expect(start).toEqual(newRound('r', ['ab']));
  });
});

describe('the inputs of a round', () => {
  it.each([
    ['1,000 for a short text', ['ab'], 1000],
    ['ten for each character of a longer one', Array(30).fill('abcde') as string[], 1500],
  ])('are at most %s', (_, words, most) => {
    let round = newRound('r', words);
    for (let at = 0; at < most; at++) {
      const reduction = reduceRound(round, newInput(backspaceKey));
      if ('problem' in reduction) throw new Error(`refused input ${at}`);
      round = reduction.round;
    }
    expect(refusal(round, newInput('a'))).toEqual({
      code: 'INVALID_REQUEST',
      message: `This round takes at most ${most} inputs: start another one.`,
    });
  });

  it.each(['word', 'слово', '단어', 'शब्दों', '👩‍👩‍👧🇩🇪'])(
    'may all be characters of its own text, such as %s',
    (word) => {
      let round = newRound('r', [wordOf(word)], stopOnLetter);
      const keys = charactersOf(word).reverse();
      for (let seq = 1; seq <= round.maxInputs; seq++) {
        const reduction = reduceRound(round, newInput(keys[seq % keys.length] as string, 12_345, seq));
        if ('problem' in reduction) throw new Error(reduction.problem.message);
        round = reduction.round;
      }
      expect(round.inputCount).toBe(round.maxInputs);
    },
  );
});

const stopOnLetter = {
  ...defaultPractice,
  rules: { earlySpace: 'skip', stopOn: 'letter', backspace: 'free' },
} as const;

function refusal(round: Round, input: RoundInput) {
  const before = structuredClone(round);
  const reduction = reduceRound(round, input);
  expect(round).toEqual(before);
  return 'problem' in reduction ? reduction.problem : undefined;
}

it('an input for another round is refused as such and changes nothing, and one for this round counts', () => {
  const round = newRound('this', ['cat']);
  expect(reduceRound(round, { ...newInput('c'), round: 'another' })).toMatchObject({
    problem: { code: 'ROUND_CHANGED', message: expect.stringContaining('another round') },
  });
  expect(reduceRound(round, { ...newInput('c'), round: 'this' })).toMatchObject({
    round: { progress: { length: 1 } },
  });
});

it('a longer text takes more inputs, no text fewer than the shortest, and none more than 20,000', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (one, other) => {
      const [less, more] = [one, other]
        .sort((a, b) => a - b)
        .map((count) => newRound('r', Array<string>(count + 1).fill('abcdefghij')).maxInputs);
      expect(less).toBeGreaterThanOrEqual(1_000);
      expect(more).toBeGreaterThanOrEqual(less ?? Number.NaN);
      expect(more).toBeLessThanOrEqual(20_000);
    }),
  );
  expect(newRound('r', Array<string>(1_000).fill('abcdefghij')).maxInputs).toBe(20_000);
});
