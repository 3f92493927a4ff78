import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { playerKeyPattern } from '../../src/contract/credentials.ts';
import { packageFile } from '../../src/kit/package-files.ts';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-key-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const play = (...args: string[]) => runHere(['play', ...args], { env: { XDG_CONFIG_HOME: dir } });
const stored = () => join(dir, 'typebadge', 'player-key');

test('play --show-key makes a key on first use, which only its owner can read, and then always shows the same one', async () => {
  const first = await play('--show-key');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const key = first.stdout.trimEnd();
  expect(key).toMatch(playerKeyPattern);
  expect(first.stdout).toBe(`${key}\n`);
  expect((await stat(stored())).mode & 0o777).toBe(0o600);
  expect((await play('--show-key')).stdout).toBe(first.stdout);
});

test('clients that start at the same time get the same key, and leave nothing else behind', async () => {
  const show = () => runTypebadge(['play', '--show-key'], { env: { XDG_CONFIG_HOME: dir } });
  const shown = await Promise.all(Array.from({ length: 6 }, show));
  expect(new Set(shown.map(({ stdout }) => stdout)).size).toBe(1);
  expect(await readdir(join(dir, 'typebadge'))).toEqual(['player-key']);
});

test('--key-file uses the key of another computer and creates none', async () => {
  const file = join(dir, 'key.txt');
  await writeFile(file, `${'k'.repeat(22)}\n`);
  expect(await play('--show-key', '--key-file', file)).toMatchObject({
    code: 0,
    stdout: `${'k'.repeat(22)}\n`,
  });
  await expect(stat(stored())).rejects.toThrow('ENOENT');
});

test.each([
  ['a key that is too short', 'k'.repeat(21)],
  ['a key that is too long', 'k'.repeat(129)],
  ['two keys', `${'k'.repeat(22)}\n${'j'.repeat(22)}`],
  ['nothing', ''],
])('a key file with %s is refused with a sentence that says what would be right', async (_, text) => {
  const file = join(dir, 'key.txt');
  await writeFile(file, text);
  const { code, stderr } = await play('--show-key', '--key-file', file);
  expect(code).toBe(1);
  expect(stderr).toContain('22 to 128 letters, digits, "-" and "_"');
});

test('a damaged key is reported and stays as it is: a new one would lose the history of the old', async () => {
  await play('--show-key');
  await writeFile(stored(), 'half');
  const { code, stderr } = await play('--show-key');
  expect([code, stderr]).toEqual([1, expect.stringContaining(stored())]);
  expect(await readFile(stored(), 'utf8')).toBe('half');
});

test('a key that finds no room is an error that names the folder', async () => {
  const program = packageFile('bin', 'typebadge.js');
  const env = { ...process.env, XDG_CONFIG_HOME: dir };
  const args = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, program, 'play', '--show-key'];
  const { status, stderr } = spawnSync('bash', args, { env });
  const reason = 'the file would be larger than this system allows.';
  expect([status, stderr.toString()]).toEqual([
    1,
    `Error: Your player key cannot be kept in ${join(dir, 'typebadge')}: ${reason}\n`,
  ]);
});
