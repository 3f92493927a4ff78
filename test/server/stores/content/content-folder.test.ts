import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkContent } from '../../../../src/server/stores/content/content-check.ts';
import {
  fillContentFolder,
  findContentFolder,
} from '../../../../src/server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';

let cwd: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'typebadge-folder-'));
  env = { TYPEBADGE_DATA: join(cwd, 'data') };
});
afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

test('--content takes precedence over TYPEBADGE_CONTENT, then ./content, then the data folder', async () => {
  for (const name of ['a', 'b', 'content']) await mkdir(join(cwd, name));
  await writeFile(join(cwd, 'content', 'history.json'), '{"announcements":[]}');
  const named = { ...env, TYPEBADGE_CONTENT: 'b' };
  const found = async (options: { content?: string; env: NodeJS.ProcessEnv }) => {
    const { dir, reason, isNamed, state } = await findContentFolder({ ...options, cwd });
    return [dir.slice(cwd.length + 1), reason, isNamed, state];
  };
  expect(await found({ content: 'a', env: named })).toEqual(['a', '--content', true, 'empty']);
  expect(await found({ content: 'c', env: named })).toEqual(['c', '--content', true, 'missing']);
  expect(await found({ env: named })).toEqual(['b', 'TYPEBADGE_CONTENT', true, 'empty']);
  expect(await found({ env })).toEqual(['content', './content holds history.json', false, 'used']);
  await rm(join(cwd, 'content', 'history.json'));
  expect(await found({ env })).toEqual(['data/content', 'your data folder', false, 'missing']);
  await writeFile(join(cwd, 'b', 'history.json'), '');
  expect(await found({ env: named })).toEqual(['b', 'TYPEBADGE_CONTENT', true, 'used']);
});

test('a folder is filled with the sample, once by simultaneous first uses, and what is there is kept', async () => {
  const { dir } = await findContentFolder({ env, cwd });
  await Promise.all(Array.from({ length: 8 }, () => fillContentFolder(dir)));
  expect((await readdir(dir)).sort()).toEqual(['history.json', 'origins.json']);
  const check = await checkContent(createFolderContent(dir), Date.now());
  expect(check).toMatchObject({ problems: [], hints: [], announcements: 1 });
  await writeFile(join(dir, 'history.json'), '{"announcements":[]}');
  await fillContentFolder(dir);
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe('{"announcements":[]}');
});

test.each([
  ['file', 'a part of its path is not a folder'],
  ['file/below', 'a part of its path is not a folder'],
  ['', 'is empty'],
])('--content %j is refused: it %s', async (content, reason) => {
  await writeFile(join(cwd, 'file'), '');
  await expect(findContentFolder({ content, env, cwd })).rejects.toThrow(reason);
});
