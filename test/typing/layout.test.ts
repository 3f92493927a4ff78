import { expect, it } from 'vitest';
import { openLibrary } from '../../src/server/typing/library.ts';
import { english, englishName, letterOf } from '../../src/typing/letters/language.ts';
import { fingerOf, newLayout, qwerty, rowOf } from '../../src/typing/letters/layout.ts';

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

it('gives the keys of the number row and the marks the fingers of standard touch typing', () => {
  const fingersOf = (keys: string) => [...keys].map((key) => fingerOf(qwerty, key)).join('');
  expect(fingersOf('`1234567890-=')).toBe('0012336678999');
  expect([fingersOf('[]\\'), fingersOf(";'"), fingersOf(',./')]).toEqual(['999', '99', '789']);
  expect(rowOf(qwerty, '7')).toBe(3);
  const wide = newLayout('wide', 'Wide', ['abcdefghijklmnop'], ['0123366789999']);
  expect(fingerOf(wide, 'p')).toBe(9);
});

it('has a name for every layout and language, an English one for each language, and a finger for every key', () => {
  const library = openLibrary();
  const languages = library.languages();
  for (const names of [
    library.layouts().map(({ name }) => name),
    languages.map(({ name }) => name),
    languages.map(({ id }) => englishName(id)),
  ]) {
    expect(names.filter((name) => !/^\S.*\S$/.test(name))).toEqual([]);
  }
  for (const { fingers, rows, id } of library.layouts()) {
    expect(Object.keys(fingers).sort(), id).toEqual(rows.flat().sort());
  }
  expect(new Set(languages.map(({ id }) => englishName(id))).size).toBe(languages.length);
  expect(['de', 'tr'].map(englishName)).toEqual(['German', 'Turkish']);
  expect(englishName('not an id')).toBe('not an id');
});

it('has built in what its files say about QWERTY and English, the defaults', () => {
  const library = openLibrary();
  expect(library.layouts()[0]).toEqual(qwerty);
  expect(library.languages()[0]).toMatchObject(english);
});
