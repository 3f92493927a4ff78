import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../src/kit/files/folder.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { makePrivateFolder } from '../../src/tui/record/folders.ts';
import { lasting } from '../support/test-server.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

let dir: string;
let content: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-folders-'));
  content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

// Linux says of every new name below /proc that it does not exist, however often one asks.
test.skipIf(process.platform !== 'linux').each([
  ['the data of a server', (at: string) => ['serve', '--port', '0', '--data', at]],
  ['the content of a server', (at: string) => ['serve', '--port', '0', '--content', at]],
  ['an export', (at: string) => ['announce', 'export', at]],
])('%s if the folder cannot be created: one line that names it, and exit code 1', async (_, toArgs) => {
  const place = '/proc/nowhere/deep';
  const finished = await runTypebadge(toArgs(place), { env: { TYPEBADGE_CONTENT: content } });
  expect(finished).toMatchObject({ code: 1, signal: null });
  expect(finished.stderr).toMatch(new RegExp(`^Error: The .*${place}.*\\n$`));
});

test('folders are made level by level, existing ones are fine, and obstacles are named', () => {
  const deep = join(dir, 'one', 'two', 'three');
  makeFolder(deep);
  makeFolder(join(dir, 'one', 'other'));
  makeFolder(deep);
  writeFileSync(join(deep, 'file'), '');
  expect(() => makeFolder(join(deep, 'file'))).toThrow('file');
  expect(() => makeFolder(join(deep, 'file', 'below'))).toThrow('file');
  if (process.platform === 'linux') {
    expect(() => makeFolder('/proc/nowhere/deep')).toThrow('no folder can be made in /proc');
  }
});

test('a current folder that was deleted is one line, and exit code 1', () => {
  const gone = join(dir, 'gone');
  const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" "$3" announce list';
  const words = ['-c', script, 'sh', gone, process.execPath, packageFile('bin', 'typebadge.js')];
  const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: The current folder was deleted\..*\n$/);
});

test('only the user can read the folders of the terminal client', () => {
  makePrivateFolder(join(dir, 'mine', 'deep'));
  if (process.platform !== 'win32') {
    for (const name of ['mine', 'mine/deep']) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o700);
  }
});
