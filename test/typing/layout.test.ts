import { expect, it } from 'vitest';
import { english, letterOf } from '../../src/typing/letters/language.ts';
import { fingerOf, isLeftHand, qwerty, rowOf } from '../../src/typing/letters/layout.ts';

const lettersWhere = (holds: (letter: string) => boolean) => [...english.alphabet].filter(holds).join('');

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
  expect(lettersWhere((letter) => fingerOf(qwerty, letter) === finger)).toBe(expected);
});

it.each([
  [0, 'eiopqrtuwy'],
  [1, 'adfghjkls'],
  [2, 'bcmnvxz'],
])('puts in row %i the letters %s', (row, expected) => {
  expect(lettersWhere((letter) => rowOf(qwerty, letter) === row)).toBe(expected);
});

it('gives the left hand the fifteen letters of its fingers', () => {
  expect(lettersWhere((letter) => isLeftHand(fingerOf(qwerty, letter) as number))).toBe('abcdefgqrstvwxz');
});

it('has no finger and no row for a character that it does not have', () => {
  expect([fingerOf(qwerty, 'é'), rowOf(qwerty, 'é'), fingerOf(qwerty, 'toString')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('treats a capital as its letter, and nothing else as a letter', () => {
  expect([...'azAZ'].map((character) => letterOf(english, character))).toEqual(['a', 'z', 'a', 'z']);
  for (const other of ['`', '{', ',', 'é', ' ', '', '7', 'ab', undefined]) {
    expect(letterOf(english, other)).toBeUndefined();
  }
  const turkish = { id: 'tr', name: 'Türkçe', alphabet: 'abcçdefgğhıijklmnoöprsştuüvyz' };
  expect([letterOf(turkish, 'I'), letterOf(turkish, 'İ')]).toEqual(['ı', 'i']);
});
