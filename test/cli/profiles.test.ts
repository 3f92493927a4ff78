import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addLocalRounds } from '../../src/cli/typist/local-rounds.ts';
import { runHere } from '../support/typebadge-here.ts';
import { typedRound } from '../support/typed-rounds.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'typebadge-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runHere(args, {
    env: { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC', ...more },
  });

test('each profile has a separate key, and the default folders stay unchanged', async () => {
  const usual = await run(['play', '--show-key']);
  const work = await run(['play', '--show-key', '--profile', 'work']);
  expect(work.stdout).not.toBe(usual.stdout);
  expect((await run(['play', '--show-key'], { TYPEBADGE_PROFILE: 'work' })).stdout).toBe(work.stdout);
  expect(
    (await run(['play', '--show-key', '--profile', 'default'], { TYPEBADGE_PROFILE: 'work' })).stdout,
  ).toBe(usual.stdout);
  expect((await run(['play', '--show-key'], { TYPEBADGE_PROFILE: '' })).stdout).toBe(usual.stdout);
  expect(readdirSync(join(home, 'config', 'typebadge'))).toEqual(['player-key', 'profiles']);
  expect(readdirSync(join(home, 'config', 'typebadge', 'profiles', 'work'))).toEqual(['player-key']);
});

test('each profile has separate figures', async () => {
  const rounds = [1, 2, 3].map((day) => typedRound({ at: new Date(Date.UTC(2026, 0, day)) }));
  const elsewhere = join(home, 'elsewhere');
  await addLocalRounds({ data: elsewhere }, rounds);
  const lines = (await run(['stats', '--export', '--data', elsewhere])).stdout.split('\n');
  const put = (name: string, text: string) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  await run(['import', put('two.jsonl', lines.slice(0, 2).join('\n'))]);
  await run(['import', put('one.jsonl', lines[2] ?? ''), '--profile', 'work']);
  const runs = async (...args: string[]) => JSON.parse((await run(['stats', '--json', ...args])).stdout).runs;
  expect([await runs(), await runs('--profile', 'work')]).toEqual([2, 1]);
});

test('a missing profile is not an empty history: stats lists the existing ones', async () => {
  await run(['play', '--show-key', '--profile', 'work']);
  const { code, stderr } = await run(['stats', '--profile', 'wrok']);
  expect(code).toBe(1);
  expect(stderr).toContain('No profile is called "wrok" (there are: work)');
});

test('the history of a profile whose key is damaged is not empty, but cannot be read', async () => {
  await run(['play', '--show-key', '--profile', 'work']);
  const file = join(home, 'config', 'typebadge', 'profiles', 'work', 'player-key');
  writeFileSync(file, 'x');
  for (const format of [[], ['--json'], ['--export']]) {
    const { code, stdout, stderr } = await run(['stats', '--profile', 'work', ...format]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${file} holds no player key`);
  }
  rmSync(file);
  expect((await run(['stats', '--profile', 'work'])).stdout).toContain('No finished rounds yet');
});

test.each(['../work', 'Work', '.', 'con', 'a'.repeat(33), 'a\u202eb'])(
  'a profile cannot be called %j',
  async (name) => {
    const { code, stderr } = await run(['play', '--show-key', `--profile=${name}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('A profile has up to 32 lower-case letters');
    expect(existsSync(join(home, 'config'))).toBe(false);
    expect((await run(['stats'], { TYPEBADGE_PROFILE: name })).code).toBe(2);
  },
);
