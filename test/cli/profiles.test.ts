import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendRoundRecords } from '../../src/tui/record/round-history.ts';
import { toRoundRecord } from '../../src/tui/record/round-record.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { typeRound } from '../tui/round/round-picture.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'typebadge-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runTypebadge(args, {
    env: { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC', ...more },
  });
const record = toRoundRecord(typeRound(['the', 'cat'], 'the cat '), false);

test('each profile has a key of its own, and the default folders stay as they were', async () => {
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

test('each profile has figures of its own', async () => {
  const typist = join(home, 'data', 'typebadge', 'typist');
  appendRoundRecords(typist, [record, record]);
  appendRoundRecords(join(typist, 'profiles', 'work'), [record]);
  const runs = async (...args: string[]) => JSON.parse((await run(['stats', '--json', ...args])).stdout).runs;
  expect([await runs(), await runs('--profile', 'work')]).toEqual([2, 1]);
});

test('a missing profile is not an empty history: stats lists the existing ones', async () => {
  await run(['play', '--show-key', '--profile', 'work']);
  const { code, stderr } = await run(['stats', '--profile', 'wrok']);
  expect(code).toBe(1);
  expect(stderr).toContain('no profile is called "wrok" (there are: work)');
});

test.each(['../work', '/tmp', 'a/b', 'Work', '-', '.', 'con', 'ä', 'a'.repeat(33), 'a\u202eb'])(
  'a profile cannot be called %j',
  async (name) => {
    const { code, stderr } = await run(['play', '--show-key', `--profile=${name}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('A profile has up to 32 lower-case letters');
    expect(existsSync(join(home, 'config'))).toBe(false);
    expect((await run(['stats'], { TYPEBADGE_PROFILE: name })).code).toBe(2);
  },
);
