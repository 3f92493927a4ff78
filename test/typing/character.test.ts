import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOneCharacter } from '../../src/typing/rules/character.ts';
import { toCharacters, toWord } from '../../src/typing/rules/word.ts';

it.each([
  ...['a', 'Z', '0', '~', '!', 'é', 'ß', '漢', '́', 'e\u0301', '한', '각'],
  ...['👍', '👍🏽', '👩‍👩‍👧‍👦', '🇩🇪', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '\ufffd'],
])('takes %j as one character', (text) => {
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
  ['an endless stack of accents', `a${'\u0301'.repeat(64)}`],
])('refuses %s', (_, text) => {
  expect(isOneCharacter(text)).toBe(false);
});

it('a word is a string exactly where each of its characters is one unit, whatever the script', () => {
  const units = fc.oneof(
    fc.integer({ min: 0x21, max: 0x5ff }),
    fc.integer({ min: 0x600, max: 0xffff }),
    fc.constantFrom(0x200d, 0xd83d, 0xdc4d, 0x1100, 0x1161, 0x0e33, 0x0301, 0x0483),
  );
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 6 }), (codes) => {
      const text = String.fromCharCode(...codes).normalize('NFC');
      const word = toWord(text);
      expect([...(typeof word === 'string' ? word.split('') : word)]).toEqual(toCharacters(text));
    }),
    { numRuns: 5000 },
  );
});
