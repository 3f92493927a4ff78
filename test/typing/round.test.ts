import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newRound, type Round, reduceRound, reduceRoundBatch } from '../../src/typing/round.ts';
import { newInput, type RoundInput } from '../../src/typing/round-input.ts';
import { backspaceKey } from '../../src/typing/rules/rules.ts';
import { wordsOf } from '../../src/typing/rules/word.ts';
import { type, typeInto } from './typed-round.ts';

it('keeps up to 32 characters past the end of a word, and refuses the next one without changing anything', () => {
  const { round } = type('cat dog', `cat${'t'.repeat(32)}`);
  expect(refusal(round, newInput('t'))?.code).toBe('INVALID_REQUEST');
  expect(typeInto(round, '_').round.progress.wordIndex).toBe(1);
  expect(refusal(typeInto(round, '_dog_').round, newInput('t'))?.code).toBe('ROUND_NOT_STARTED');
});

it('types words of other scripts character by character, composed or not', () => {
  const words = wordsOf(['e\u0301te\u0301', 'x👩‍👩‍👧y', 'नमस्ते']);
  let round = newRound('r', words);
  for (const key of [
    'é',
    't',
    'e\u0301',
    ' ',
    'x',
    '👩‍👩‍👧',
    '\b',
    '👩‍👩‍👧',
    'y',
    ' ',
    'न',
    'म',
    'स्ते',
    ' ',
  ]) {
    const reduction = reduceRound(round, newInput(key));
    if ('problem' in reduction) throw new Error(reduction.problem.message);
    round = reduction.round;
    if (key === '👩‍👩‍👧') expect(round.progress.input).toEqual(['x', '👩‍👩‍👧']);
  }
  expect(round.score).toMatchObject({ totalKeys: 9, correctKeys: 9, wrong: 0 });
  expect(round.progress.wordIndex).toBe(3);
});

describe('numbered inputs', () => {
  const numbered = (text: string, first = 1): RoundInput[] =>
    [...text].map((key, at) => newInput(key, 50, first + at));
  const batch = reduceRoundBatch(newRound('r', ['cat', 'dog']), numbered('cxt'));
  if ('problem' in batch) throw new Error(batch.problem.message);
  const { round } = batch;

  it('must not leave a gap; the error names the expected number', () => {
    expect(refusal(round, newInput('z', 0, 5))).toEqual({
      code: 'INVALID_REQUEST',
      message: 'seq leaves a gap: 4 is expected next.',
    });
  });

  it('are not used up by an input that is refused', () => {
    const full = typeInto(round, 'x'.repeat(32)).round;
    expect(refusal(full, newInput('x', 0, 4))?.message).toContain('32 characters');
    expect(reduceRound(full, newInput(backspaceKey, 0, 4))).toMatchObject({ round: { lastSeq: 4 } });
  });

  it('can be mixed with inputs without a number', () => {
    const mixed = typeInto(round, '<x').round;
    expect(mixed.lastSeq).toBe(3);
    expect(reduceRound(mixed, newInput('z', 0, 2))).toMatchObject({ result: { char_index: 1 } });
    expect(reduceRound(mixed, newInput('t', 0, 4))).toMatchObject({ result: { char_index: 3 } });
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
});

function refusal(round: Round, input: RoundInput) {
  const before = structuredClone(round);
  const reduction = reduceRound(round, input);
  expect(round).toEqual(before);
  if (!('problem' in reduction)) return undefined;
  expect(reduction.problem.message).toMatch(/^\w.*\.$/);
  return reduction.problem;
}

it('an input for another round is refused as such and changes nothing, and one for this round counts', () => {
  const round = newRound('this', ['cat']);
  expect(reduceRound(round, newInput('c', 0, 0, 'another'))).toMatchObject({
    problem: { code: 'ROUND_CHANGED', message: expect.stringContaining('another round') },
  });
  expect(reduceRound(round, newInput('c', 0, 0, 'this'))).toMatchObject({
    round: { progress: { input: ['c'] } },
  });
});

it('a longer text accepts more inputs, none fewer than the shortest, and none more than 20,000', () => {
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
