import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSecretFile } from '../../../src/kit/files/secret-file.ts';

let dir: string;
let path: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-secret-'));
  path = join(dir, 'secret');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const openIt = () => openSecretFile({ path, pattern: /^[0-9a-f]{64}$/, make: () => '5a'.repeat(32) });

test('a secret is made once, for its owner alone, and read from then on', async () => {
  expect(await openIt()).toBe('5a'.repeat(32));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(path, `${'c3'.repeat(32)}\n`);
  expect(await openIt()).toBe('c3'.repeat(32));
});

test.each<[string, () => Promise<void>]>([
  ['a pipe, which nobody may ever write to', async () => void execFileSync('mkfifo', [path])],
  ['a device without an end', () => symlink('/dev/zero', path)],
  ['a folder', async () => void (await mkdir(path))],
  ['a large file', () => writeFile(path, 'a'.repeat(5_000))],
])('%s in its place is refused at once, by its name', async (_, put) => {
  await put();
  await expect(openIt()).rejects.toThrow(path);
});
