import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkContent } from '../../../../src/server/stores/content/content-check.ts';
import { resolveContentFolder } from '../../../../src/server/stores/content/content-folder.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';
import { parseHistory } from '../../../../src/server/stores/content/history-file.ts';

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
    const { dir, reason, isNew } = await resolveContentFolder({ ...options, cwd });
    return [dir.slice(cwd.length + 1), reason, isNew];
  };
  expect(await found({ content: 'a', env: named })).toEqual(['a', '--content', false]);
  expect(await found({ env: named })).toEqual(['b', 'TYPEBADGE_CONTENT', false]);
  expect(await found({ env })).toEqual(['content', './content holds history.json', false]);
  await rm(join(cwd, 'content', 'history.json'));
  expect(await found({ env })).toEqual(['data/content', 'the data folder', true]);
});

test('the data folder is filled on first use, and left alone later', async () => {
  const { dir } = await resolveContentFolder({ env, cwd });
  expect((await readdir(dir)).sort()).toEqual(['history.json', 'origins.json']);
  expect(parseHistory(await readFile(join(dir, 'history.json'), 'utf8'))).toHaveProperty('history');
  const check = await checkContent(createFolderContent(dir), Date.now());
  expect(check).toMatchObject({ problems: [], hints: [], announcements: 1 });
  await writeFile(join(dir, 'history.json'), '{"announcements":[]}');
  await rm(join(dir, 'origins.json'));
  await resolveContentFolder({ env, cwd });
  expect(await readFile(join(dir, 'history.json'), 'utf8')).toBe('{"announcements":[]}');
  expect(await readdir(dir)).toEqual(['history.json']);
});

test('an empty named folder is filled only on request, and never by reading', async () => {
  const dir = join(cwd, 'a');
  await mkdir(dir);
  const named = { content: dir, env, cwd };
  expect(await resolveContentFolder(named)).toMatchObject({ dir, isNew: false });
  expect(await resolveContentFolder({ ...named, fillsEmpty: true, isReadOnly: true })).toMatchObject({
    isNew: true,
  });
  expect(await readdir(dir)).toEqual([]);
  expect(await resolveContentFolder({ ...named, fillsEmpty: true })).toMatchObject({ dir, isNew: true });
  expect((await readdir(dir)).sort()).toEqual(['history.json', 'origins.json']);
  expect(await resolveContentFolder({ ...named, fillsEmpty: true })).toMatchObject({ isNew: false });
});

test('simultaneous first uses fill it once', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => resolveContentFolder({ env, cwd })));
  expect(new Set(all.map(({ dir }) => dir)).size).toBe(1);
  expect((await readdir(all[0]?.dir ?? '')).sort()).toEqual(['history.json', 'origins.json']);
});

test('a missing named folder is created and filled, unless it is only read, must exist or is not needed', async () => {
  const named = { content: 'deep/er', env, cwd };
  const dir = join(cwd, 'deep', 'er');
  expect(await resolveContentFolder({ ...named, isReadOnly: true })).toMatchObject({ dir, isNew: true });
  expect(await resolveContentFolder({ ...named, isOptional: true })).toMatchObject({ dir, isNew: false });
  await expect(resolveContentFolder({ ...named, mustExist: true })).rejects.toThrow('does not exist');
  expect(await readdir(cwd)).toEqual([]);
  expect(await resolveContentFolder(named)).toMatchObject({ dir, isNew: true });
  expect((await readdir(dir)).sort()).toEqual(['history.json', 'origins.json']);
});

test.each([
  ['file', 'a part of its path is not a folder'],
  ['file/below', 'a part of its path is not a folder'],
  ['', 'is empty'],
])('--content %j is refused: it %s', async (content, reason) => {
  await writeFile(join(cwd, 'file'), '');
  await expect(resolveContentFolder({ content, env, cwd })).rejects.toThrow(reason);
});
