import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textPortion } from '../../src/typing/modes/text.ts';

const sentence = 'It was the best of times, it was the worst of times. ';

test('a longer one is cut at the end of a paragraph, else of a sentence', () => {
  const paragraph = `${sentence.repeat(35)}\n\n`;
  expect(textPortion(paragraph.repeat(9), 0).next).toBe(paragraph.length);
  const { text } = textPortion(sentence.repeat(400), 0);
  expect(text.trimEnd()).toMatch(/times\.$/);
  expect(text.length).toBeGreaterThan(1000);
});

test('is cut at the first end of a paragraph from 1,500 characters on, else the last from 1,050 on, else of a line or word', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 1_200 }), { minLength: 60, maxLength: 60 });
  const ends = fc.constantFrom('\n\n', '\n \n', '\n', '. ', '." ', ' ');
  fc.assert(
    fc.property(gaps, ends, (gaps, end) => {
      const pieces = gaps.map((length) => 'x'.repeat(length) + end);
      const whole = `${pieces.join('')}${'y'.repeat(10_000)}`;
      const found: number[] = [];
      for (const { length } of pieces) found.push((found.at(-1) ?? 0) + length);
      // The end itself must lie between them.
      const inside = found.filter((at) => at - end.length >= 1_050 && at <= 3_000);
      const cut = inside.find((at) => at >= 1_500) ?? inside.at(-1) ?? 1_500;
      expect(textPortion(whole, 0).next).toBe(cut);
    }),
  );
});

test('what is left after the last cut stays whole up to 3,000 characters, and white space at the end is not a portion', () => {
  const whole = `${'x'.repeat(20_000)} \n `;
  expect(textPortion(whole, 17_010)).toEqual({ text: whole.slice(17_010), next: 0 });
  expect(textPortion(whole, 16_990).next).toBe(18_490);
  expect(textPortion(`${'x'.repeat(9_990)}${' '.repeat(20)}`, 9_995).text.startsWith('x')).toBe(true);
  expect(textPortion('x '.repeat(2_000), 0).next).toBe(0);
  expect(textPortion('x '.repeat(2_001), 0).next).toBe(1_500);
  expect(textPortion(`${'x'.repeat(99)}\n`.repeat(200), 0).next).toBe(1_500);
});

test('an offset beyond the end, as in a text that became shorter, means the start', () => {
  expect(textPortion(sentence.repeat(400), 1e9).text).toBe(textPortion(sentence.repeat(400), 0).text);
});

test('the parts add up to the whole text, each is short enough to be uploaded, and none splits a character', () => {
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
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(5_000);
      expect(parts.filter((part) => /\p{Cs}/u.test(part))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
