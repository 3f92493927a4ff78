import { expect, it } from 'vitest';
import { isOneCharacter } from '../../src/typing/rules/word.ts';

it.each([
  ...['a', 'Z', '0', '~', '!', 'é', 'ß', '漢', '́', 'e\u0301', '한', '각'],
  ...[`q${'\u0301'.repeat(31)}`, '\u00a1', '👍', '👍🏽', '👩‍👩‍👧‍👦', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '\ufffd'],
])('accepts %j as one character', (text) => {
  expect(isOneCharacter(text)).toBe(true);
});

it.each([
  ['nothing', ''],
  ['two letters', 'ab'],
  ['two emoji', '👍👍'],
  ['a space', ' '],
  ['a no-break space', '\u00a0'],
  ['a tab', '\t'],
  ['a line break', '\n'],
  ['a carriage return and line feed', '\r\n'],
  ['a space with an accent', ' \u0301'],
  ['a letter and a space', 'a '],
  ['U+0000', '\0'],
  ['backspace', '\b'],
  ['delete', '\x7f'],
  ['a C1 control', '\x85'],
  ['escape', '\x1b'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner alone', '\u200d'],
  ['a right-to-left mark', '\u200f'],
  ['an override of direction', '\u202e'],
  ['a byte order mark', '\ufeff'],
  ['a line separator', '\u2028'],
  ['half a surrogate pair', '\ud83d'],
  ['the other half', '\udc4d'],
  ['a letter with 32 accents', `q${'\u0301'.repeat(32)}`],
  ['an endless stack of accents', `a${'\u0301'.repeat(64)}`],
])('refuses %s', (_, text) => {
  expect(isOneCharacter(text)).toBe(false);
});
