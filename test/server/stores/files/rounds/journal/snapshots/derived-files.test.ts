import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  removeDerived,
  removeDrafts,
  snapshotPath,
} from '../../../../../../../src/server/stores/files/rounds/journal/snapshots/derived-files.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-derived-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const path = (name: string) => join(dir, name);
async function write(name: string, minutesAgo = 0): Promise<void> {
  await writeFile(path(name), '');
  const then = new Date(Date.now() - minutesAgo * 60_000);
  await utimes(path(name), then, then);
}
const snapshotOf = (name: string) => snapshotPath(name);

test('drafts of a snapshot that nobody writes any more are removed, and nothing else', async () => {
  const staying = ['a', snapshotOf('a'), 'b', `${snapshotOf('b')}.1`, `c.${snapshotOf('a')}.`];
  for (const name of staying) await write(name, 60);
  await write(`${snapshotOf('a')}.1`, 11);
  await write(`${snapshotOf('a')}.2`, 9);
  await removeDrafts(path('a'));
  expect((await readdir(dir)).sort()).toEqual([...staying, `${snapshotOf('a')}.2`].sort());
});

test('with a journal go its snapshots of any version, their drafts and its damaged lines, and nothing of another', async () => {
  const staying = ['a', 'aa', 'b.folded-4', 'aa.folded-4', 'b.damaged-1', 'a.lock'];
  const going = ['a.folded-1', 'a.folded-4', 'a.folded-4.1', 'a.damaged-1'];
  for (const name of [...staying, ...going]) await write(name);
  await removeDerived(path('a'));
  expect((await readdir(dir)).sort()).toEqual(staying.sort());
  await removeDerived(join(dir, 'missing', 'a'));
});
