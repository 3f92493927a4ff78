import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkContent } from '../../../../src/server/stores/content/content-check.ts';
import {
  fillContentFolder,
  findContentFolder,
} from '../../../../src/server/stores/content/content-folder.ts';
import { addText } from '../../../../src/server/stores/content/content-store.ts';
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
  await mkdir(join(cwd, 'data', 'content'), { recursive: true });
  await writeFile(join(cwd, 'data', 'content', 'history.json'), '');
  expect(await found({ env })).toEqual(['data/content', 'your data folder', false, 'used']);
  for (const name of ['.git', 'lost+found', 'editors.json']) await writeFile(join(cwd, 'b', name), '');
  expect(await found({ env: named })).toEqual(['b', 'TYPEBADGE_CONTENT', true, 'empty']);
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
  const more = await addText(createFolderContent(dir), 'history.json', { text: '{}', log: '' });
  expect([more, await readFile(join(dir, 'history.json'), 'utf8')]).toEqual([false, '{"announcements":[]}']);
});

test('a check names with their places what no server serves, and what is perhaps not intended', async () => {
  const check = (now = Date.UTC(2026, 5)) => checkContent(createFolderContent(cwd), now);
  const place = (name: string, rest: object) => ({ file: join(cwd, name), ...rest });
  const missing = { message: expect.stringContaining('missing') };
  expect(await check()).toEqual({
    problems: [place('history.json', missing)],
    hints: [place('origins.json', missing)],
    ...{ announcements: 0, origins: 0 },
  });
  const [published, expires] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
  const entry = { id: 'a', message: 'Hello', published, expires, colour: 'red' };
  const announcements = [entry, { ...entry, id: 'b', colour: undefined }];
  await writeFile(join(cwd, 'history.json'), `\uFEFF${JSON.stringify({ announcements }, null, 1)}`);
  await writeFile(
    join(cwd, 'origins.json'),
    '{"origins":["https://a.example","https://A.example","https://b.example"]}',
  );
  const unknown = { line: 8, path: 'announcements[0].colour', message: expect.stringContaining('"colour"') };
  expect(await check()).toEqual({
    problems: [],
    hints: [place('history.json', unknown)],
    ...{ announcements: 2, origins: 2 },
  });
  expect((await check(Date.UTC(2027, 5))).hints).toEqual([
    place('history.json', unknown),
    place('history.json', { message: expect.stringContaining('only its logo') }),
  ]);
  const marked = { ...entry, colour: undefined, message: '**a', markdown: '**a' };
  await writeFile(join(cwd, 'history.json'), JSON.stringify({ announcements: [marked] }));
  expect((await check()).hints).toMatchObject([
    place('history.json', { path: 'announcements[0].markdown', message: expect.stringContaining('marks') }),
  ]);
  await writeFile(join(cwd, 'changes.jsonl'), '\n7\n');
  await writeFile(join(cwd, 'origins.json'), '{"origins":[\n"a b"]}');
  expect((await check()).problems).toMatchObject([
    place('changes.jsonl', { line: 2 }),
    place('origins.json', { line: 2, path: 'origins[0]' }),
  ]);
});

test.each([
  ['file', 'a part of its path is not a folder'],
  ['file/below', 'a part of its path is not a folder'],
  ['', 'is empty'],
])('--content %j is refused: it %s', async (content, reason) => {
  await writeFile(join(cwd, 'file'), '');
  await expect(findContentFolder({ content, env, cwd })).rejects.toThrow(reason);
});

test('a folder that cannot be filled is named, with the reason and what to do', async () => {
  await writeFile(join(cwd, 'file'), '');
  const dir = join(cwd, 'file', 'below');
  const filled = fillContentFolder(dir);
  await expect(filled).rejects.toThrow(dir);
  await expect(filled).rejects.toThrow(/ENOTDIR.*--content/);
});
