import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newRound, reduceRound } from '../../src/typing/round.ts';
import { newInput } from '../../src/typing/round-input.ts';
import { appendKey, dropKey, lastKey, readInput } from '../../src/typing/rules/progress.ts';
import { backspaceKey } from '../../src/typing/rules/rules.ts';
import { appendToTape, cutTape, emptyTape, tapeText, unitAt } from '../../src/typing/rules/tape.ts';

const words = Array<string>(30).fill('abcde');
const most = 1500;
const inputs = Array.from({ length: most }, (_, at) =>
  newInput(at % 2 === 0 ? 'x' : backspaceKey, 90, at + 1),
);

it('a key copies less than two thousand characters, however long the round is', () => {
  let round = newRound('r', words);
  for (const input of inputs) {
    const reduction = reduceRound(round, input);
    if ('problem' in reduction) throw new Error(reduction.problem.message);
    for (const name of ['inputs', 'answers'] as const) {
      const [before, after] = [round[name], reduction.round[name]];
      for (const [at, piece] of before.pieces.entries()) expect(after.pieces[at]).toBe(piece);
      expect(after.open.length).toBeLessThan(1024);
    }
    round = reduction.round;
  }
  expect(round.inputs.pieces.length).toBeGreaterThan(5);
});

it('a tape has the same contents as a string', () => {
  const long = fc.nat(2500).map((length) => 'ab\ud83d'.repeat(length).slice(0, length));
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), long)), fc.nat(), (parts, pick) => {
      const text = parts.join('');
      const tape = parts.reduce(appendToTape, emptyTape);
      const at = pick % (text.length + 1);
      expect(tape.length).toBe(text.length);
      expect(tapeText(tape)).toBe(text);
      expect(tapeText(tape, at)).toBe(text.slice(at));
      expect(cutTape(tape, at)).toEqual(appendToTape(emptyTape, text.slice(0, at)));
      if (at < text.length) expect(unitAt(tape, at)).toBe(text.charCodeAt(at));
    }),
  );
});

/** The longest character that a key may be. */
const longKey = `e${'\u0323\u0331'.repeat(15)}\u0301`;

/** The longest key that is typed with 32 units: the normal form of some characters has three times theirs. */
const longestKey = newInput('\u{1d160}'.repeat(16)).key;

it('what is typed and deleted in a word leaves the characters that a list would have', () => {
  const key = fc.constantFrom('a', 'b', ' ', 'é', '👩‍👩‍👧', 'e\u0301', longKey, longestKey, 'drop');
  fc.assert(
    fc.property(fc.array(key, { maxLength: 400 }), (keys) => {
      const model: string[] = [];
      let input = emptyTape;
      for (const each of keys) {
        if (each === 'drop') {
          if (model.length === 0) continue;
          expect(lastKey(input)).toBe(model.pop());
          input = dropKey(input);
        } else {
          model.push(each);
          input = appendKey(input, each);
        }
      }
      expect(readInput({ input })).toEqual(model);
    }),
  );
});
