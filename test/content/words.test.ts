import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/kit/package-files.ts';
import { readLeftOut } from '../../src/server/typing/library.ts';

interface Language {
  readonly id: string;
  readonly name: string;
  readonly alphabet: string;
}

const content = join(packageRoot, 'content');
const languages: Language[] = JSON.parse(readFileSync(join(content, 'languages.json'), 'utf8'));

const linesOf = (id: string) => readFileSync(join(content, 'words', `${id}.txt`), 'utf8').split('\n');
const wordsOf = (id: string) => linesOf(id).filter((line) => line !== '' && !line.startsWith('#'));
const rankOf = (id: string, word: string) => wordsOf(id).indexOf(word);

test('there are at least twenty languages, each described once, and English is the first', () => {
  const ids = languages.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(20);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toBe('en');
});

test('every list of words belongs to a language', () => {
  const lists = readdirSync(join(content, 'words')).filter((file) => file.endsWith('.txt'));
  expect(lists.sort()).toEqual(languages.map(({ id }) => `${id}.txt`).sort());
});

describe.each(languages)('$name', ({ id, name, alphabet }) => {
  const letters = new Set(alphabet);

  test('has a name, and an alphabet of different lower-case letters of one code unit in NFC', () => {
    expect(name).toMatch(/^\p{Lu}\p{Ll}+(?: \p{Ll}+)?$/u);
    expect(letters.size).toBe(alphabet.length);
    expect(alphabet).toMatch(/^\p{Ll}{20,}$/u);
    expect(alphabet.normalize('NFC')).toBe(alphabet);
    expect(alphabet.toLocaleLowerCase(id)).toBe(alphabet);
  });

  test('has its source and licence in the first lines of its list, and nothing but words after them', () => {
    const lines = linesOf(id);
    expect(lines[0]).toMatch(/^# source: \S/);
    expect(lines[1]).toMatch(/^# licence: .+, see LICENSE$/);
    expect(lines.slice(2).filter((line) => line.startsWith('#') || line !== line.trim())).toEqual([]);
    expect(lines.at(-1)).toBe('');
  });

  test('has enough words, each once', () => {
    const words = wordsOf(id);
    expect(words.length).toBeGreaterThanOrEqual(id === 'en' ? 5_000 : 2_000);
    expect(new Set(words).size).toBe(words.length);
  });

  test('has only words of its own letters, at most with an apostrophe or a hyphen between them', () => {
    const odd = wordsOf(id).filter(
      (word) =>
        [...word].some((character) => !letters.has(character) && !"'-".includes(character)) ||
        /^['-]|['-]$|['-]['-]/.test(word),
    );
    expect(odd).toEqual([]);
  });

  test('uses every letter of its alphabet, except plain ones that its own words do not need', () => {
    const used = new Set(wordsOf(id).join(''));
    const missing = [...letters].filter((letter) => !used.has(letter));
    expect(missing.filter((letter) => !/[bckqwxyz]/.test(letter))).toEqual([]);
  });

  test('has short and long words, so that a round of thirty can have any number of letters', () => {
    const lengths = wordsOf(id).map((word) => word.length);
    for (let length = 2; length <= 10; length += 1)
      expect(lengths.filter((each) => each === length).length, `${length} letters`).toBeGreaterThanOrEqual(
        15,
      );
  });

  test('has no interjections, fragments or other alphabets among its first words', () => {
    const stumps = new Set('ll ve isn don didn lch lhr hmm uh huh hey mr mrs dr www subtitles'.split(' '));
    expect(wordsOf(id).filter((word) => stumps.has(word) || /(.)\1\1/.test(word))).toEqual(
      id === 'ro' ? ['copiii'] : [],
    );
  });
});

test('English words only have the letters a to z, and there are many of every length from 2 to 12', () => {
  const words = wordsOf('en');
  expect(words.filter((word) => !/^[a-z]{2,}$/.test(word))).toEqual([]);
  for (let length = 3; length <= 12; length += 1)
    expect(words.filter((word) => word.length === length).length, `${length}`).toBeGreaterThanOrEqual(80);
});

test('words are in order of frequency: the words of every text come before rare ones', () => {
  const pairs = [
    ['en', 'because', 'warranty'],
    ['en', 'people', 'mosquito'],
    ['de', 'nicht', 'wirklich'],
    ['fr', 'dans', 'toujours'],
    ['es', 'que', 'siempre'],
    ['it', 'che', 'sempre'],
    ['ru', 'что', 'всегда'],
    ['el', 'και', 'σήμερα'],
  ] as const;
  for (const [id, common, rarer] of pairs) {
    const rank = rankOf(id, rarer);
    expect(rankOf(id, common), common).toBeLessThan(rank === -1 ? Number.POSITIVE_INFINITY : rank);
    expect(rankOf(id, common), common).toBeGreaterThanOrEqual(0);
  }
});

test('every list may be shown in a school: it has no word that is left out, and none is both kept and left out', () => {
  for (const { id } of languages) {
    const { isOut, keep } = readLeftOut(id);
    expect([id, wordsOf(id).filter(isOut)]).toEqual([id, []]);
    expect([id, [...keep].filter(isOut)]).toEqual([id, []]);
  }
  expect(['killer', 'kills', 'drugs', 'skill'].map(readLeftOut('en').isOut)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  for (const [id, word] of [
    ['de', 'töten'],
    ['fr', 'tuer'],
    ['ru', 'убить'],
    ['tr', 'öldürmek'],
  ] as const)
    expect([word, readLeftOut(id).isOut(word)]).toEqual([word, true]);
});
