import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readThemeFile, startOptions } from '../../src/cli/commands/play/start-options.ts';
import { colourNames } from '../../src/tui/look/themes.ts';
import { defaultOptions } from '../../src/tui/record/options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typebadge-theme-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(content: unknown): Promise<string> {
  const file = join(folder, 'night.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const colours = Object.fromEntries(colourNames.map((name) => [name, '#87afff']));

test('a theme is a file of twelve colours; what is wrong is named', async () => {
  const file = await write(colours);
  expect(await readThemeFile(file)).toEqual(colours);
  const { options } = await startOptions(defaultOptions, { theme: file as never }, {});
  expect(options).toMatchObject({ theme: 'own', customTheme: colours });
  await expect(startOptions(defaultOptions, { theme: 'own' }, {})).rejects.toThrow('name a file');
});

test.each([
  ['no JSON', '{', 'is not JSON'],
  ['no object', '"x"', 'must be an object with accent, right'],
  [
    'missing colours',
    { ...colours, wrong: undefined, number: 'red' },
    'lacks "wrong"; number must be a colour',
  ],
  ['all of them missing', {}, colourNames.map((name) => `lacks "${name}"`).join('; ')],
  ['a name', { ...colours, wrong: 'red' }, 'wrong must be a colour such as "#87afff"'],
  ['a thirteenth', { ...colours, caret: '#000000' }, 'has "caret", which is not one of the twelve'],
])('a theme is refused for %s', async (_, content, message) => {
  await expect(readThemeFile(await write(content))).rejects.toThrow(message);
});
