import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder as makeServerFolder } from '../../src/server/folder.ts';
import { makeFolder as makeClientFolder } from '../../src/tui/record/folders.ts';
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
])('%s where no folder can be made: one line that names it, and exit code 1', async (_, toArgs) => {
  const place = '/proc/nowhere/deep';
  const finished = await runTypebadge(toArgs(place), { env: { TYPEBADGE_CONTENT: content } });
  expect(finished).toMatchObject({ code: 1, signal: null });
  expect(finished.stderr).toMatch(new RegExp(`^Error: The .*${place}.*\\n$`));
});

test.each([
  ['the server', async (path: string) => makeServerFolder(path)],
  ['the terminal client', async (path: string) => makeClientFolder(path)],
])(
  '%s makes folders level by level, welcomes those that are there, and names what stands in the way',
  async (_, makeFolder) => {
    const deep = join(dir, 'one', 'two', 'three');
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(dir, 'one', 'other'))]);
    await makeFolder(deep);
    await writeFile(join(deep, 'file'), '');
    await expect(makeFolder(join(deep, 'file'))).rejects.toThrow('file');
    await expect(makeFolder(join(deep, 'file', 'below'))).rejects.toThrow('file');
    if (process.platform === 'linux') {
      await expect(makeFolder('/proc/nowhere/deep')).rejects.toThrow('no folder can be made in /proc');
    }
  },
);
