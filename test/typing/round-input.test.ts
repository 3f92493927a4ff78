import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newRound, type Round, reduceRound, replaySteps } from '../../src/typing/round.ts';
import { formatInput, newInput, parseInputText } from '../../src/typing/round-input.ts';
import { backspaceKey, spaceKey } from '../../src/typing/rules/rules.ts';
import { resultOf } from '../support/steps.ts';

const input = fc.record({
  key: fc.constantFrom('a', 'é', '👩‍👩‍👧', ' ', '\b', '"', '\\'),
  ms: fc.nat(3_600_000),
  seq: fc.nat(5000),
});

test('inputs survive writing and parsing', () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 20 }), (inputs) => {
      expect(parseInputText(inputs.map(formatInput).join(''))).toEqual(inputs);
    }),
  );
  expect(parseInputText(formatInput(newInput('a', -0)))).toEqual([newInput('a')]);
});

test.each([
  ['no line break at the end', 'a\t100\t1'],
  ['an empty line', '\n'],
  ['no key', '\t100\t1\n'],
  ['something before the key', '\ta\t100\t1\n'],
  ['something after the number', 'a\t100\t1\t\n'],
  ['a field too few', 'a\t100\n'],
  ['a time that is no count', 'a\t-1\t1\n'],
  ['a number that is no count', 'a\t100\t1.5\n'],
  ['a number that no counter reaches', 'a\t100\t12345678901234567\n'],
  ['one damaged line among good ones', 'a\t100\t1\nb\t1x\t2\nc\t100\t3\n'],
])('a text with %s is not parsed', (_, text) => {
  expect(parseInputText(text)).toBeUndefined();
});

const inputs = fc.array(
  fc.record({
    key: fc.constantFrom(...'onetwhr', spaceKey, backspaceKey, '⌘'),
    seq: fc.constantFrom(...Array(200).fill(0), 1, 2, 9),
  }),
  { maxLength: 600 },
);

test('inputs are replayed exactly if the round accepts each of them the first time', () => {
  fc.assert(
    fc.property(inputs, (some) => {
      const all = some.map(({ key, seq }) => newInput(key, 100, seq));
      const start = newRound('r', ['one', 'two', 'three']);
      const expected = all.reduce<Round | undefined>((round, input) => {
        if (round === undefined || (input.seq > 0 && input.seq <= round.lastSeq)) return undefined;
        const reduction = reduceRound(round, input);
        return 'round' in reduction ? reduction.round : undefined;
      }, start);
      expect(resultOf(replaySteps(start, all.map(formatInput).join('')))).toEqual(expected);
    }),
  );
});
