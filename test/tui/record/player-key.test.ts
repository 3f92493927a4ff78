import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playerKeyPattern } from '../../../src/contract/credentials.ts';
import { openPlayerKey } from '../../../src/tui/record/player-key.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-key-'));
  path = join(dir, 'player-key');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('a key is created once, for its owner only, and read from then on', async () => {
  const key = await openPlayerKey(dir);
  expect(key).toMatch(playerKeyPattern);
  expect(await openPlayerKey(dir)).toBe(key);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, `${'c3'.repeat(32)}\n`);
  expect(await openPlayerKey(dir)).toBe('c3'.repeat(32));
});

test.each<[string, () => Promise<void>]>([
  ['a pipe, which nobody may ever write to', async () => void execFileSync('mkfifo', [path])],
  ['a device without an end', () => symlink('/dev/zero', path)],
  ['a folder', async () => void (await mkdir(path))],
  ['a large file', () => writeFile(path, 'a'.repeat(5_000))],
])('%s in its place is refused at once, by its name', async (_, put) => {
  await put();
  await expect(openPlayerKey(dir)).rejects.toThrow(path);
});
