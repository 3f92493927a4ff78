import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxText } from '../../src/typing/modes/mode.ts';
import { textPortion } from '../../src/typing/modes/text.ts';

const sentence = 'It was the best of times, it was the worst of times. ';

test('a longer one is cut at the end of a paragraph, else of a sentence', () => {
  const paragraph = `${sentence.repeat(35)}\n\n`;
  expect(textPortion(paragraph.repeat(9), 0).next).toBe(paragraph.length);
  const { text } = textPortion(sentence.repeat(400), 0);
  expect(text.trimEnd()).toMatch(/times\.$/);
  expect(text.length).toBeGreaterThan(1000);
});

test('an offset beyond the end, as in a text that became shorter, means the start', () => {
  expect(textPortion(sentence.repeat(400), 1e9).text).toBe(textPortion(sentence.repeat(400), 0).text);
});

test('the parts add up to the whole text, each fits into a round, and none splits a character', () => {
  const piece = fc.constantFrom('word ', 'word. ', '\n', '\n\n', '日本', '𝒳', 'x'.repeat(700));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 400 }), (pieces) => {
      const whole = `${pieces.join('')}${'𝒳'.repeat(6000)}`;
      const parts: string[] = [];
      for (let at = 0; ; ) {
        const { text, next } = textPortion(whole, at);
        parts.push(text);
        if (next === 0) break;
        expect(next).toBeGreaterThan(at);
        at = next;
      }
      expect(parts.join('')).toBe(whole);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(maxText);
      expect(parts.filter((part) => /\p{Cs}/u.test(part))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
