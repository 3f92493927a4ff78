import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from '../../src/kit/visible-text.ts';

test.each([
  ['plain words, ünïcödé, 😀', 'plain words, ünïcödé, 😀'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['\u009b2J\u007f', '\\u009b2J\\u007f'],
  ['abc\u202edcb\u2066\u2028', 'abc\\u202edcb\\u2066\\u2028'],
  ['a\u200bb\ufeff\ufff9', 'a\\u200bb\\ufeff\\ufff9'],
  ['a\u{e0041}', 'a\\udb40\\udc41'],
  ['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
  ['\u200eleft \u200fright \u061carabic', '\\u200eleft \\u200fright \\u061carabic'],
])('%j is shown as %s', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test('law: any text becomes one line without control characters, and JSON keeps its meaning', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(visibleText(JSON.stringify(text)))).toBe(text);
    }),
  );
});
