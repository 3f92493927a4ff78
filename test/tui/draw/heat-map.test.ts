import { expect, test } from 'vitest';
import { toHeatMapWidth, toLetterRows } from '../../../src/tui/draw/heat-map.ts';
import { qwerty } from '../../../src/typing/letters/layout.ts';

const dvorak = {
  rows: [[..."',.pyfgcrl/="], [...'aoeuidhtns-'], [...';qjkxbmwvz'], [...'1234567890']],
  fingers: {},
};

test('the letters of a layout keep their places, and keys to the right of them are left out', () => {
  expect(toLetterRows(qwerty).map((row) => row.join(''))).toEqual(['qwertyuiop', 'asdfghjkl', 'zxcvbnm']);
  expect(toLetterRows(dvorak)).toEqual([['', '', '', ...'pyfgcrl'], [...'aoeuidhtns'], ['', ...'qjkxbmwvz']]);
});

test('a layout with more letters in a row takes more columns', () => {
  const cyrillic = { rows: [[...'йцукенгшщзхъ'], [...'фывапролджэ'], [...'ячсмитьбю'], []], fingers: {} };
  const size = { width: 3, rows: 2 } as const;
  expect(toHeatMapWidth(toLetterRows(qwerty), size)).toBe(41);
  expect(toHeatMapWidth(toLetterRows(cyrillic), size)).toBe(49);
});
