import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/kit/package-files.ts';

interface Quotes {
  readonly source: string;
  readonly licence: string;
  readonly quotes: readonly { readonly text: string; readonly from: string }[];
}

const content = join(packageRoot, 'content');
const languages: { id: string; alphabet: string }[] = JSON.parse(
  readFileSync(join(content, 'languages.json'), 'utf8'),
);
const files = readdirSync(join(content, 'quotes')).filter((file) => file.endsWith('.json'));

test('quotes belong to languages that have words', () => {
  const ids = new Set(languages.map(({ id }) => `${id}.json`));
  expect(files.length).toBeGreaterThanOrEqual(8);
  expect(files.filter((file) => !ids.has(file))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const { source, licence, quotes }: Quotes = JSON.parse(readFileSync(join(content, 'quotes', file), 'utf8'));
  const language = languages.find(({ id }) => file === `${id}.json`);
  const texts = quotes.map(({ text }) => text);

  test('names its source, its licence and where each quote is from', () => {
    expect(source).not.toBe('');
    expect(licence).toContain('public domain');
    expect(quotes.filter(({ from }) => !/^\p{L}.*\p{Ll}.*[\p{L}\d]$/u.test(from))).toEqual([]);
  });

  test('has at least sixty quotes, short, medium and long, each once', () => {
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThanOrEqual(60);
    expect(texts.filter(({ length }) => length >= 600 || length < 25)).toEqual([]);
    const between = (from: number, to: number) =>
      texts.filter(({ length }) => length >= from && length < to).length;
    expect(between(0, 100)).toBeGreaterThanOrEqual(10);
    expect(between(100, 300)).toBeGreaterThanOrEqual(10);
    expect(between(300, 600)).toBeGreaterThanOrEqual(5);
  });

  test('has whole sentences: a capital first, a full stop last, no numbers of verses or paragraphs', () => {
    expect(texts.filter((text) => !/^["¿]?\p{Lu}/u.test(text) || !/[.!?]"?$/.test(text))).toEqual([]);
    expect(texts.filter((text) => /(?:^|\. )\d+[.)]? |\(\d+\)|\[\d+\]/.test(text))).toEqual([]);
    expect(texts.filter((text) => /\p{Ll}\. \p{Ll}/u.test(text))).toEqual([]);
  });

  test('can be typed on any keyboard of its language: its own letters, plain quotation marks, single spaces, NFC', () => {
    const own = new Set(language?.alphabet ?? '');
    const strange = texts.filter(
      (text) =>
        text !== text.normalize('NFC') ||
        /[^\p{L}\d ,.;:!?'"()·%/-]| {2}|^ | $/u.test(text) ||
        (text.toLocaleLowerCase(language?.id).match(/\p{L}/gu) ?? []).some((letter) => !own.has(letter)),
    );
    expect(strange).toEqual([]);
  });

  test('has quotation marks in pairs and no space on the wrong side of a punctuation mark', () => {
    expect(texts.filter((text) => (text.match(/"/g) ?? []).length % 2 === 1)).toEqual([]);
    expect(texts.filter((text) => / [,.;:!?)]|\( /.test(text))).toEqual([]);
  });
});
