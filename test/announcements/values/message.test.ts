import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageLength, parseMessage } from '../../../src/announcements/values/message.ts';

const family = '👨‍👩‍👧‍👦';

test.each([
  ['one letter', 'x'],
  ['280 characters', 'x'.repeat(280)],
  ['280 characters beyond the basic plane', '𝄞'.repeat(280)],
  ['quotes and backslashes', `"It's" \\ <b>bold</b> & \`ticks\` \${x}`],
  ['right to left', 'שלום עולם مرحبا'],
  ['emoji with joiners and variation selectors', `${family} ❤️ 🏳️‍🌈`],
  ['combining marks', 'e\u0301 n\u0303'],
  ['a zero-width joiner and marks of direction between words', 'a\u200Db \u200Fc\u200E'],
  ['a private-use character and an unassigned one', '\uE000 \u{10FFFE}'],
])('%s is a valid message, and stays as it is', (_, text) => {
  expect(parseMessage(text)).toMatchObject({ value: text });
});

test.each([
  ['', 'is empty'],
  ['   \t\n ', 'is empty'],
  ['\u200B\u2060\u00AD', 'is empty'],
  ['\u3164', 'is empty'],
  ['x'.repeat(281), 'has 281 characters; at most 280'],
  ['two\nlines', 'line break'],
  ['two\r\nlines', 'line break'],
  ['two\u2028lines', 'line break'],
  ['two\u2029lines', 'line break'],
  ['tab\tbed', 'control character (U+0009) at position 4'],
  ['bell\u0007', 'control character (U+0007)'],
  ['escape \u001B[31m', 'control character (U+001B)'],
  ['nul\u0000', 'control character (U+0000)'],
  ['delete\u007F', 'control character (U+007F)'],
  ['c1\u0085', 'control character (U+0085)'],
  ['half \uD83D', 'control character (U+D83D)'],
  ['other half \uDE00 x', 'control character (U+DE00)'],
])('%j is refused: %s', (text, reason) => {
  expect(parseMessage(text)).toEqual({ problem: expect.stringContaining(reason) });
});

test('white space around a message is removed, including the line break at the end of a file', () => {
  expect(parseMessage('  Hello\n')).toMatchObject({ value: 'Hello' });
});

test('an editor is warned of more than 100 characters and of direction overrides', () => {
  expect(parseMessage('x'.repeat(100))).toMatchObject({ warnings: [] });
  expect(parseMessage('x'.repeat(101))).toMatchObject({
    warnings: [expect.stringContaining('101 characters')],
  });
  expect(parseMessage('a\u202Eb')).toMatchObject({
    warnings: [expect.stringContaining('direction override')],
  });
});

test('law: any text is either kept, trimmed, or refused with a reason', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const result = parseMessage(text);
      if ('problem' in result) expect(result.problem).toMatch(/^the message /);
      else {
        expect(result.value).toBe(text.trim());
        expect(result.value).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(messageLength(result.value)).toBeLessThanOrEqual(280);
        expect(parseMessage(result.value)).toEqual(result);
      }
    }),
    { numRuns: 500 },
  );
});
