import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTypebadge } from '../support/typebadge-process.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typebadge-forgiven-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) =>
  runTypebadge(args, { env: { TYPEBADGE_CONTENT: folder, TYPEBADGE_DATA: folder, TZ: 'UTC' } });

test('an origin with the trailing slash of address bars is accepted', async () => {
  const { code, stdout } = await run('origins', 'add', 'https://news.example.org/');
  expect(stdout).toContain('https://news.example.org may use the badge now');
  expect(code).toBe(0);
});

test('an address with a path is still refused, because only part of it would count', async () => {
  const { code, stderr } = await run('origins', 'add', 'https://news.example.org/page/');
  expect(stderr).toContain('is not an origin');
  expect(code).toBe(2);
});

test('for a message that begins with a hyphen, the error says how to write it, and that works', async () => {
  const refused = await run('announce', 'publish', '-5 % today');
  expect(refused.stderr).toContain('put -- before it');
  expect(refused.code).toBe(2);
  const { code, stdout } = await run('announce', 'publish', '--', '-5 % today');
  expect(stdout).toContain('-5 % today');
  expect(code).toBe(0);
});
