import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  isJsonFile,
  readLayoutFile,
  readThemeFile,
} from '../../src/cli/commands/play/custom/custom-json-file.ts';
import { startOptions } from '../../src/cli/commands/play/start-options.ts';
import { findLanguageId, findLayoutId } from '../../src/cli/typist/practice-names.ts';
import { colourNames } from '../../src/tui/look/theme-colours.ts';
import { createOptionsSaver, defaultOptions, readOptions } from '../../src/tui/record/options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typebadge-layout-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rows = ['qwfpgjluy', 'arstdhneio', 'zxcvbkm', '1234567890'];

async function write(content: unknown, name = 'my board.json'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a row is a list of keys or a text, the default name is that of the file, and the id follows from the keys', async () => {
  const short = await readLayoutFile(await write(`\ufeff${JSON.stringify({ rows })}`));
  expect(short.layout).toMatchObject({ name: 'my board', rows: rows.map((row) => [...row]), fingers: {} });
  expect(short.id).toMatch(/^own-[0-9a-f]{16}$/);
  const long = { id: 'x', name: 'Other', rows: rows.map((row) => [...row]), fingers: {} };
  expect(await readLayoutFile(await write(long))).toEqual({
    ...short,
    layout: { ...short.layout, name: 'Other' },
  });
  const { id } = await readLayoutFile(await write({ rows, fingers: { q: 1 } }));
  expect(id).not.toBe(short.id);
});

test.each([
  ['no JSON', '{"rows": [', 'is not JSON'],
  ['a list', '[]', 'must have a name and rows'],
  ['no rows', { name: 'x' }, 'rows must be four lists of keys'],
  ['the same key twice', { rows: ['aba', '', '', ''] }, 'has the same key twice'],
  ['no letters', { rows: ['', '', '', '123'] }, 'has no key with a letter'],
  ['a finger for no key', { rows, fingers: { ö: 1 } }, 'has a finger for a key that is in none of its rows'],
  ['too much', ' '.repeat(70_000), 'larger than 65536 bytes'],
])('%s is refused with the file, the place and what would be right', async (_, content, reason) => {
  const file = await write(content);
  await expect(readLayoutFile(file)).rejects.toThrow(`the layout in "${file}"`);
  await expect(readLayoutFile(file)).rejects.toThrow(reason);
  await expect(readLayoutFile(file)).rejects.toMatchObject({ name: 'UsageError' });
});

test('a missing file is reported as such, and a name without a path or ".json" is not a file', async () => {
  await expect(readLayoutFile(join(folder, 'no.json'))).rejects.toThrow(
    'cannot be read: there is no such file.',
  );
  await expect(readLayoutFile(folder)).rejects.toThrow('cannot be read: it is a folder.');
  expect(['a.json', 'A.JSON', './a', 'dvorak', 'json'].map(isJsonFile)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('languages and layouts are also recognised by name, and unknown names stay as they are', () => {
  expect(['german', 'Deutsch', 'de', 'FRANÇAIS', 'klingon'].map(findLanguageId)).toEqual([
    'de',
    'de',
    'de',
    'fr',
    'klingon',
  ]);
  expect(['Dvorak', 'colemak dh', 'piano'].map(findLayoutId)).toEqual(['dvorak', 'colemak-dh', 'piano']);
});

test('the player’s own layout is remembered, even while another one is used', async () => {
  const write = (path: string, text: string) => writeFile(path, text);
  const file = await writeLayout();
  const { options, greeting } = await startOptions(defaultOptions, {}, { layout: file });
  expect(greeting).toBe('');
  await createOptionsSaver(folder, defaultOptions, write)(options);
  const saved = await readOptions(folder);
  expect(saved.layout).toBe(saved.customLayout?.id);
  expect(saved.customLayout?.layout.name).toBe('my board');
  const { options: other } = await startOptions(saved, {}, { layout: 'dvorak' });
  expect(other).toMatchObject({ layout: 'dvorak', customLayout: saved.customLayout });
});

test('if the own layout is no longer in the options, QWERTY is used', async () => {
  const lost = { ...defaultOptions, layout: 'own-0123456789abcdef' };
  expect((await startOptions(lost, {}, {})).options.layout).toBe('qwerty');
  expect((await startOptions(lost, {}, { layout: 'dvorak' })).options.layout).toBe('dvorak');
});

function writeLayout(): Promise<string> {
  return write({ rows });
}

const colours = Object.fromEntries(colourNames.map((name) => [name, '#87afff']));

test('a theme is a file of twelve colours; what is wrong is named with an example', async () => {
  const file = await write(colours, 'night.json');
  expect(await readThemeFile(file)).toEqual(colours);
  const { options } = await startOptions(defaultOptions, { theme: file as never }, {});
  expect(options).toMatchObject({ theme: 'own', customTheme: colours });
  await expect(startOptions(defaultOptions, { theme: 'own' }, {})).rejects.toThrow('name a file');
});

test.each([
  ['no JSON', '{', 'is not JSON'],
  ['no object', '"x"', 'must be an object with accent, right'],
  ['a missing colour', { ...colours, wrong: undefined }, 'lacks "wrong"'],
  ['a name', { ...colours, wrong: 'red' }, 'wrong must be a colour such as "#87afff"'],
  ['a thirteenth', { ...colours, caret: '#000000' }, 'has "caret", which is not one of the twelve'],
])('a theme is refused for %s', async (_, content, message) => {
  await expect(readThemeFile(await write(content, 'theme.json'))).rejects.toThrow(message);
});
