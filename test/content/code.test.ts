import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { transform as transformStyles } from 'lightningcss';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/kit/package-files.ts';

interface Code {
  readonly source: string;
  readonly licence: string;
  readonly snippets: readonly { readonly title: string; readonly text: string }[];
}

const folder = join(packageRoot, 'content', 'code');
const readCode = (language: string): Code =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'));
const languages = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));
const indents: Readonly<Record<string, RegExp>> = {
  go: /^\t*\S/,
  c: /^(?: {4})*\S/,
  java: /^(?: {4})*\S/,
  python: /^(?: {4})*\S/,
  rust: /^(?: {4})*\S/,
  sql: /^(?: {2})*\S/,
};

test('the most popular programming languages have snippets', () => {
  expect([...languages].sort()).toEqual(
    'bash c css go html java javascript python rust sql typescript'.split(' '),
  );
});

describe.each(languages)('%s', (language) => {
  const { source, licence, snippets } = readCode(language);
  const lines = snippets.flatMap(({ text }) => text.split('\n'));

  test('has at least twelve snippets, each once and with a title, written for this package', () => {
    expect({ source, licence }).toEqual({ source: 'written for typebadge', licence: 'MIT' });
    expect(snippets.length).toBeGreaterThanOrEqual(12);
    expect(new Set(snippets.map(({ title }) => title)).size).toBe(snippets.length);
    expect(new Set(snippets.map(({ text }) => text)).size).toBe(snippets.length);
  });

  test('has snippets of 5 to 15 lines, none longer than 80 characters, typed on any keyboard', () => {
    const counts = snippets.map(({ text }) => text.split('\n').length);
    expect(counts.filter((count) => count < 5 || count > 15)).toEqual([]);
    expect(lines.filter((line) => line.replaceAll('\t', '    ').length > 80)).toEqual([]);
    expect(lines.filter((line) => !/^[\t\x20-\x7e]*$/.test(line) || /\s$/.test(line))).toEqual([]);
  });

  test('is indented as usual in the language', () => {
    const indent = indents[language] ?? /^(?: {2})*\S/;
    expect(lines.filter((line) => line !== '' && !indent.test(line))).toEqual([]);
  });

  test('closes every bracket that it opens', () => {
    if (language === 'bash') return;
    const open = snippets.filter(({ text }) =>
      ['()', '[]', '{}'].some(
        (pair) => text.split(pair[0] as string).length !== text.split(pair[1] as string).length,
      ),
    );
    expect(open.map(({ title }) => title)).toEqual([]);
  });
});

test.each(['typescript', 'javascript'] as const)('%s snippets are valid', (language) => {
  for (const { text } of readCode(language).snippets) {
    const { warnings } = transformSync(text, {
      loader: language === 'typescript' ? 'ts' : 'js',
      format: 'esm',
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
  }
});

test('CSS snippets are valid', () => {
  for (const { title, text } of readCode('css').snippets) {
    const { warnings } = transformStyles({ filename: title, code: Buffer.from(text) });
    expect(warnings).toEqual([]);
  }
});
