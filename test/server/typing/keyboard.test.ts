import { expect, it } from 'vitest';
import {
  fingerOf,
  isLeftHand,
  letterAt,
  letterCount,
  rowOf,
  toLetter,
} from '../../../src/server/typing/keyboard.ts';

const letters = Array.from({ length: letterCount }, (_, letter) => letter);
const lettersWhere = (holds: (letter: number) => boolean) => letters.filter(holds).map(toLetter).join('');

it.each([
  [0, 'aqz'],
  [1, 'swx'],
  [2, 'cde'],
  [3, 'bfgrtv'],
  [6, 'hjmnuy'],
  [7, 'ik'],
  [8, 'lo'],
  [9, 'p'],
])('gives finger %i the letters %s', (finger, expected) => {
  expect(lettersWhere((letter) => fingerOf(letter) === finger)).toBe(expected);
});

it.each([
  [0, 'eiopqrtuwy'],
  [1, 'adfghjkls'],
  [2, 'bcmnvxz'],
])('puts in row %i the letters %s', (row, expected) => {
  expect(lettersWhere((letter) => rowOf(letter) === row)).toBe(expected);
});

it('gives the left hand the fifteen letters of its fingers', () => {
  expect(lettersWhere(isLeftHand)).toBe('abcdefgqrstvwxz');
});

it('finds letters in a text, and nothing else', () => {
  expect([...'az'].map((_, at) => letterAt('az', at))).toEqual([0, 25]);
  expect(letterAt('A`{,é ', 0)).toBe(-1);
  for (let at = 0; at < 8; at++) expect(letterAt('A`{,é ', at)).toBe(-1);
});
