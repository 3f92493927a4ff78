import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../src/server/settings/log.ts';
import { createStoreCopies, findStoreCopy } from '../../../../src/server/stores/files/store-copies.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-copies-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const lines: string[] = [];
const log = createLog({ format: 'json', write: (line) => lines.push(line) });
const openCopies = (original = 'redis://store typebadge') => createStoreCopies({ dataDir, original, log });

test('only the owner can read the copies of the editors and of the secret for addresses', async () => {
  const { content, writeAddressKey } = openCopies();
  await content.write('history.json', '{}');
  await content.write('editors.json', '{}');
  await writeAddressKey('secret');
  const modeOf = async (name: string) => (await stat(join(content.name, name))).mode & 0o077;
  expect(await modeOf('editors.json')).toBe(0);
  expect(await modeOf('address-key')).toBe(0);
  expect(await modeOf('history.json')).not.toBe(0);
});

test('a copy is found once there are announcements in it, and each store has its own', async () => {
  const copies = openCopies();
  expect(await copies.find()).toBeUndefined();
  await copies.content.write('origins.json', '{"origins":[]}');
  expect(await copies.find()).toBeUndefined();
  await copies.content.write('history.json', '{"announcements":[]}');
  const found = await findStoreCopy({ dataDir, original: 'redis://store typebadge' });
  expect((await found?.content.read('history.json'))?.text).toBe('{"announcements":[]}');
  expect(found?.changed).toEqual((await stat(join(copies.content.name, 'history.json'))).mtime);
  expect(await openCopies('redis://other typebadge').find()).toBeUndefined();
  expect(await copies.readAddressKey()).toBeUndefined();
  await copies.writeAddressKey('secret');
  expect(await openCopies().readAddressKey()).toBe('secret');
});

test('copies that are set aside are whole in another folder, of which the last five stay, and the secret stays in use', async () => {
  const copies = openCopies();
  await copies.writeAddressKey('secret');
  const folders: string[] = [];
  for (let number = 1; number <= 7; number += 1) {
    await copies.content.write('history.json', `history ${number}`);
    await copies.content.write('editors.json', `editors ${number}`);
    const aside = await copies.content.setAside();
    folders.push(aside);
    expect((await readdir(aside)).sort()).toEqual(['editors.json', 'history.json']);
    expect(await readFile(join(aside, 'history.json'), 'utf8')).toBe(`history ${number}`);
    expect(await readFile(join(aside, 'editors.json'), 'utf8')).toBe(`editors ${number}`);
    expect(await copies.find()).toBeUndefined();
    // Their names are the times to the millisecond.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const left = (await readdir(copies.content.name)).filter((name) => name.startsWith('lost-')).sort();
  expect(left.map((name) => join(copies.content.name, name))).toEqual(folders.slice(-5));
  expect(await copies.readAddressKey()).toBe('secret');
});

test('a copy that cannot be written is warned about, and stops nothing', async () => {
  const { content } = openCopies();
  await mkdir(join(content.name, 'history.json'), { recursive: true });
  lines.length = 0;
  await content.write('history.json', '{}');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      message: expect.stringMatching(
        /^the copy of history\.json for a start without the store is outdated: ./,
      ),
    }),
  ]);
});
