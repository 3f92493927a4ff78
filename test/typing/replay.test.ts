import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newRound, replayInputs, replaySteps } from '../../src/typing/round.ts';
import { formatInput, newInput } from '../../src/typing/round-input.ts';
import { spaceKey } from '../../src/typing/rules/rules.ts';

const words = ['one', 'two', 'three'];
const inputs = fc.array(
  fc.record({
    key: fc.constantFrom(...'onetwhr', spaceKey, '\b', '⌘'),
    seq: fc.constantFrom(...Array(200).fill(0), 1, 2, 9),
  }),
  { maxLength: 600 },
);

function replayText(text: string) {
  const steps = replaySteps(newRound('r', words), text);
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { count, replayed: value };
  }
}

test('inputs replayed in steps give the same round as at once, and as few of them if one cannot have been accepted', () => {
  fc.assert(
    fc.property(inputs, (some) => {
      const all = some.map(({ key, seq }) => newInput(key, 100, seq));
      const { replayed } = replayText(all.map(formatInput).join(''));
      expect(replayed).toEqual(replayInputs(newRound('r', words), all));
    }),
  );
});

test('a long round is replayed in as many steps as it has thousands of characters', () => {
  const line = ['x', '\b'].map((key) => formatInput(newInput(key, 100))).join('');
  const { count, replayed } = replayText(line.repeat(1500));
  expect(replayed?.isWhole).toBe(true);
  expect(count).toBeGreaterThan((1500 * line.length) / 4000);
  expect(count).toBeLessThan((1500 * line.length) / 1000);
  expect(replayText('').count).toBe(0);
});

test('a text that cannot have been written is recognised wherever it is damaged', () => {
  const lines = Array.from({ length: 600 }, () => formatInput(newInput('x', 100, 0)));
  for (const at of [0, 300, 599]) {
    expect(replayText(lines.with(at, 'x\n').join('')).replayed).toBeUndefined();
  }
});

test('numbered inputs are replayed only in their order, and nothing after the last word', () => {
  const numbered = [...'one '].map((key, at) => newInput(key, 100, at + 1));
  const whole = (all: typeof numbered) => replayInputs(newRound('r', words), all).isWhole;
  expect(whole(numbered)).toBe(true);
  expect(whole(numbered.toReversed())).toBe(false);
  expect(whole([...numbered.slice(0, 2), ...numbered.slice(3)])).toBe(false);
  const end = [...'one two three '].map((key) => newInput(key, 100));
  expect(whole(end)).toBe(true);
  expect(whole([...end, newInput('x', 100)])).toBe(false);
});
