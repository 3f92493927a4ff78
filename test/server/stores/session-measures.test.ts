import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  measuredBytes,
  measureText,
  memoized,
  practiceBytes,
  unsavedRoundBytes,
} from '../../../src/server/stores/session-size.ts';
import { defaultPractice } from '../../../src/typing/modes/practice.ts';
import { toWord } from '../../../src/typing/rules/word.ts';

const measures = fc.record({ base: fc.nat(10_000), reserve: fc.nat(100_000), inputs: fc.nat(10_000) });

it('a running round counts its reserve until it has taken more, and a finished one what it has taken', () => {
  fc.assert(
    fc.property(measures, fc.nat(1_000), (measured, rest) => {
      const none = measuredBytes(null, rest);
      const finished = measuredBytes({ ...measured, isRunning: false }, rest) - none;
      const running = measuredBytes({ ...measured, isRunning: true }, rest) - none;
      expect(finished).toBeGreaterThanOrEqual(measured.base + measured.inputs);
      expect(running).toBe(Math.max(finished, measured.reserve));
      expect(none - measuredBytes(null, 0)).toBe(rest);
    }),
  );
});

it('a longer text takes more and reserves more, and characters of several units more than plain ones', () => {
  const sizes = [['ab'], ['abc'], ['abc', 'd'], ['abc', 'd', 'ef']].map((words) =>
    measureText(words.map(toWord)),
  );
  for (const [at, size] of sizes.entries()) {
    expect(size.reserve).toBeGreaterThan(size.base);
    expect(size.base).toBeGreaterThan(sizes[at - 1]?.base ?? 0);
    expect(size.reserve).toBeGreaterThan(sizes[at - 1]?.reserve ?? 0);
  }
  const plain = measureText([toWord('abcd')]);
  const family = measureText([toWord('👩‍👩‍👧bcd')]);
  expect(family.base).toBeGreaterThan(plain.base + 4 * 8);
});

it('a text of one’s own, its title and a layout count with their characters', () => {
  const bytesOf = (text: string, title?: string) =>
    practiceBytes({
      ...defaultPractice,
      mode: { type: 'text', text, ...(title === undefined ? {} : { title }) },
    });
  expect(practiceBytes(defaultPractice)).toBe(0);
  expect([bytesOf('abc'), bytesOf('abc', 'de')]).toEqual([6, 10]);
});

it('an unsaved round counts two bytes more for each character more of its line', () => {
  const bytesOf = (line: string) => unsavedRoundBytes({ id: 'a', line } as never);
  expect(bytesOf('abcdef') - bytesOf('abc')).toBe(6);
  expect(bytesOf('')).toBeGreaterThan(0);
});

it('a list is measured once, and another list again', () => {
  let times = 0;
  const measure = memoized((list: readonly number[]) => {
    times += 1;
    return list.length;
  });
  const list = [1, 2];
  expect([measure(list), measure(list), times]).toEqual([2, 2, 1]);
  expect([measure([1, 2, 3]), times]).toEqual([3, 2]);
});
