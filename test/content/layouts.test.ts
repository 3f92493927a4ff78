import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/kit/package-files.ts';

interface Layout {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly string[][];
  readonly fingers: Readonly<Record<string, number>>;
}

const folder = join(packageRoot, 'content', 'layouts');
const readJson = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/**
 * Written down from the pages of each layout, not from its file: top, home, bottom and number row. Colemak-DH is the
 * one for ANSI keyboards, with Z on the key of B.
 */
const drawn: Readonly<Record<string, readonly string[]>> = {
  qwerty: ['qwertyuiop[]\\', "asdfghjkl;'", 'zxcvbnm,./', '`1234567890-='],
  dvorak: ["',.pyfgcrl/=\\", 'aoeuidhtns-', ';qjkxbmwvz', '`1234567890[]'],
  colemak: ['qwfpgjluy;[]\\', "arstdhneio'", 'zxcvbkm,./', '`1234567890-='],
  'colemak-dh': ['qwfpbjluy;[]\\', "arstgmneio'", 'xcdvzkh,./', '`1234567890-='],
  workman: ['qdrwbjfup;[]\\', "ashtgyneoi'", 'zxmcvkl,./', '`1234567890-='],
  azerty: ['azertyuiop^$', 'qsdfghjklmù*', '<wxcvbn,;:!', '²&é"\'(-è_çà)='],
  qwertz: ['qwertzuiopü+', 'asdfghjklöä#', '<yxcvbnm,.-', '^1234567890ß´'],
  bepo: ['bépoè^vdljzw', 'auie,ctsrnmç', "êàyx.k'qghf", '$"«»()@+-/*=%'],
  neo: ['xvlcwkhgfqß´', 'uiaeosnrtdy', 'üöäpzbm,.j', '^1234567890-`'],
};
const language: Readonly<Record<string, string>> = { azerty: 'fr', bepo: 'fr', qwertz: 'de', neo: 'de' };

describe.each(Object.keys(drawn))('%s', (id) => {
  const { rows, fingers, ...layout }: Layout = readJson(`${id}.json`);
  const characters = rows.flat();

  test('has the rows of its official drawing', () => {
    expect(layout.id).toBe(id);
    expect(rows.map((row) => row.join(''))).toEqual(drawn[id]);
  });

  test('has no character on two keys, and each is one code unit', () => {
    expect(new Set(characters).size).toBe(characters.length);
    expect(characters.filter(({ length }) => length !== 1)).toEqual([]);
  });

  test('has a finger for every key, the index fingers for the middle and the little ones for the edges', () => {
    expect(Object.keys(fingers).sort()).toEqual([...characters].sort());
    expect(Object.values(fingers).filter((finger) => ![0, 1, 2, 3, 6, 7, 8, 9].includes(finger))).toEqual([]);
    const home = (rows[1] as string[]).map((character) => fingers[character]);
    expect(home.slice(0, 10)).toEqual([0, 1, 2, 3, 3, 6, 6, 7, 8, 9]);
    for (const row of rows) {
      const ofRow = row.map((character) => fingers[character] as number);
      expect(ofRow).toEqual([...ofRow].sort((a, b) => a - b));
    }
  });

  test('types every letter of its language, at least with a dead key or a base letter', () => {
    const languages: { id: string; alphabet: string }[] = JSON.parse(
      readFileSync(join(folder, '..', 'languages.json'), 'utf8'),
    );
    const alphabet = languages.find((each) => each.id === (language[id] ?? 'en'))?.alphabet ?? '';
    const missing = [...alphabet].filter(
      (letter) => !(letter in fingers) && !((letter.normalize('NFD')[0] as string) in fingers),
    );
    // French ligatures are on a further level of both layouts.
    expect(missing.filter((letter) => !'æœ'.includes(letter))).toEqual([]);
  });
});

test('the fingers of QWERTY are those of standard touch typing', () => {
  const { fingers }: Layout = readJson('qwerty.json');
  const keysOf = (finger: number) =>
    Object.keys(fingers)
      .filter((key) => fingers[key] === finger && /[a-z]/.test(key))
      .join('');
  expect([0, 1, 2, 3, 6, 7, 8, 9].map(keysOf)).toEqual([
    'qaz',
    'wsx',
    'edc',
    'rtfgvb',
    'yuhjnm',
    'ik',
    'ol',
    'p',
  ]);
});

describe('more.json', () => {
  const more: {
    licence: string;
    fingers: string[];
    layouts: { id: string; name: string; rows: string[] }[];
  } = readJson('more.json');

  test('is small and has at least a hundred layouts, in every script', () => {
    expect(more.layouts.length).toBeGreaterThanOrEqual(100);
    expect(readFileSync(join(folder, 'more.json')).length).toBeLessThan(150_000);
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Hebrew',
      'Arabic',
      'Armenian',
      'Georgian',
      'Devanagari',
      'Thai',
    ]) {
      const letters = new RegExp(`\\p{Script=${script}}`, 'gu');
      const typed = more.layouts.filter(({ rows }) => (rows.join('').match(letters) ?? []).length >= 20);
      expect(typed.length, script).toBeGreaterThanOrEqual(1);
    }
  });

  test('has no id twice, none of a layout with its own file, and a name for each', () => {
    const ids = more.layouts.map(({ id }) => id);
    expect(new Set([...ids, ...Object.keys(drawn)]).size).toBe(ids.length + Object.keys(drawn).length);
    expect(ids.filter((id) => !/^[a-z]{2,5}(?:-[\w-]+)?$/.test(id))).toEqual([]);
    expect(more.layouts.filter(({ name }) => !/^\S.*\S$/.test(name))).toEqual([]);
  });

  test('has four rows for each, no longer than the rows of fingers, and no character twice', () => {
    const odd = more.layouts.filter(({ rows }) => {
      const characters = rows.join('').replaceAll(' ', '');
      return (
        rows.length !== 4 ||
        new Set(characters).size !== characters.length ||
        rows.some((row, index) => row.length > (more.fingers[index] as string).length)
      );
    });
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test('has a home row of letters and at least twenty letters for each', () => {
    const count = (text: string) => (text.match(/\p{L}/gu) ?? []).length;
    const poor = more.layouts.filter(({ rows }) => count(rows[1] as string) < 7 || count(rows.join('')) < 20);
    expect(poor.map(({ id }) => id)).toEqual([]);
  });

  test('has the fingers of the layouts in separate files', () => {
    const { rows, fingers }: Layout = readJson('qwerty.json');
    const columns = [0, 0, 1, 0];
    rows.forEach((row, index) => {
      const expected = row.map((character) => fingers[character]).join('');
      expect(more.fingers[index]?.slice(columns[index]).startsWith(expected.slice(0, 10))).toBe(true);
    });
  });
});
