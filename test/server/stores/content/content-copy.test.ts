import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createContentCopy } from '../../../../src/server/stores/content/content-copy.ts';
import { contentNameOf } from '../../../../src/server/stores/content/record-content.ts';

let dir: string;
let told: string[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-copy-'));
  told = [];
});
afterEach(() => rm(dir, { recursive: true }));

const tell = (message: string) => told.push(message);
const open = (original = 'one store', folder = dir) =>
  createContentCopy(folder, original, { info: tell, warn: tell, error: tell });
const content = { history: '{"announcements":[]}', log: 'grüße\n', origins: '{}' };
const files = async () =>
  (await readdir(join(dir, 'content-copies'))).map((name) => join(dir, 'content-copies', name)).sort();

test('the next server reads the copy of its own store, which only its owner can read', async () => {
  expect([await open().read(), await open().readKey()]).toEqual([undefined, undefined]);
  await open().write({ ...content, log: '' });
  await open().write(content);
  await open().writeKey('secret');
  expect([await open().read(), await open().readKey()]).toEqual([content, 'secret']);
  expect([await open('another').read(), await open('another').readKey()]).toEqual([undefined, undefined]);
  for (const path of await files()) expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(told).toEqual([]);
});

test('servers that share a store and a data folder have a copy for each prefix', async () => {
  const [one, other] = ['one', 'other'].map((prefix) => open(contentNameOf('redis://store', prefix)));
  await one?.write(content);
  expect([await one?.read(), await other?.read()]).toEqual([content, undefined]);
});

test('a copy that an earlier version has left is found', async () => {
  await mkdir(join(dir, 'content-copies'));
  await writeFile(join(dir, 'content-copies', 'fcfc069f7f4eb602.json'), JSON.stringify(content));
  await writeFile(join(dir, 'content-copies', 'fcfc069f7f4eb602.key'), 'secret');
  expect([await open().read(), await open().readKey()]).toEqual([content, 'secret']);
});

test('a damaged copy counts as none', async () => {
  await open().write(content);
  for (const path of await files()) await writeFile(path, '{"history":');
  expect(await open().read()).toBeUndefined();
});

test('a secret that is the same is not written again', async () => {
  const written = async (key: string) => {
    await open().writeKey(key);
    const [path = ''] = await files();
    return (await stat(path)).ino;
  };
  const first = await written('one');
  expect(await written('one')).toBe(first);
  expect(await written('two')).not.toBe(first);
});

test('a folder that cannot be written stops no server, which says so', async () => {
  await writeFile(join(dir, 'file'), '');
  const copy = open('one store', join(dir, 'file'));
  await copy.write(content);
  await copy.writeKey('secret');
  expect(told).toEqual(Array(2).fill(expect.stringContaining('the copy of the content')));
});
