import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  findAbandonedFolders,
  openSessionFolder,
} from '../../../../../src/server/stores/files/sessions/session-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-sessions-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A server of another computer that has shown no sign of life since. */
async function leaveFolder(latest: number): Promise<{ readonly dir: string; readonly owner: string }> {
  const { dir } = await openSessionFolder(root);
  const [name = ''] = await readdir(dir);
  const owner = join(dir, name);
  await writeFile(owner, JSON.stringify({ pid: 1, host: 'elsewhere', started: null }));
  await utimes(owner, latest / 1000, latest / 1000);
  return { dir, owner };
}

const silence = 121_000;
const day = 24 * 60 * 60 * 1000;

test('the folder of a server elsewhere is abandoned once its owner has been silent for two minutes', async () => {
  await leaveFolder(Date.now());
  expect(await findAbandonedFolders(root)).toEqual([]);
  const silent = await leaveFolder(Date.now() - silence);
  expect(await findAbandonedFolders(root)).toEqual([silent.dir]);
});

test('an owner whose last sign of life is in the future, because the clock was set back, is silent from now on', async () => {
  const { dir, owner } = await leaveFolder(Date.now() + day);
  expect(await findAbandonedFolders(root)).toEqual([]);
  const { mtimeMs } = await stat(owner);
  expect(mtimeMs).toBeLessThanOrEqual(Date.now());
  const later = (mtimeMs - silence) / 1000;
  await utimes(owner, later, later);
  expect(await findAbandonedFolders(root)).toEqual([dir]);
});

test('the folder of a server that lives on this computer is not abandoned, however long it is silent', async () => {
  const { dir } = await openSessionFolder(root);
  const [name = ''] = await readdir(dir);
  const longAgo = (Date.now() - day) / 1000;
  await utimes(join(dir, name), longAgo, longAgo);
  expect(await findAbandonedFolders(root)).toEqual([]);
});

test('the folder of a server that has ended is abandoned at once, or after the silence that is asked for', async () => {
  const { dir, release } = await openSessionFolder(root);
  await release(false);
  expect(await findAbandonedFolders(root)).toEqual([dir]);
  expect(await findAbandonedFolders(root, day)).toEqual([]);
});

test('a server that ends without sessions leaves no folder', async () => {
  const { release } = await openSessionFolder(root);
  await release(true);
  expect(await readdir(root)).toEqual([]);
});
