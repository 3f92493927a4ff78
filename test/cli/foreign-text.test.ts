import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/typebadge-here.ts';
import { runTypebadge } from '../support/typebadge-process.ts';

/** Clears the screen, sets the title, starts a line of its own, turns the reading direction, a one-byte CSI, and unseen marks. */
const evil =
  '\u001b[2J\u001b]0;owned\u0007\r\nError: fake\n\u202egnp\u2066\u009b31m\u200f\u200b\ufeff\ufff9\u{e0041}';
/** What no line on a terminal may hold; `fake` must not begin one. */
const foreign =
  /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff\ufff9\u{e0041}]|^Error: fake/mu;

let root: string;
let dir: string;

const entry = {
  id: 'a',
  message: 'Hello \u202egnp\u2069 world\u200f',
  link: 'https://example.org/\u202egnp',
  published: '2026-01-01T00:00:00Z',
  expires: '2999-01-01T00:00:00Z',
  [`field ${evil}`]: evil,
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'typebadge-foreign-'));
  dir = join(root, `content ${evil.replaceAll('/', '')}`);
  await mkdir(join(root, 'data', 'pulse'), { recursive: true });
  await mkdir(dir);
  const change = {
    at: '2026-01-01T00:00:00Z',
    by: evil,
    action: 'publish',
    id: 'a',
    before: null,
    after: entry,
  };
  const later = { ...change, action: 'edit', before: entry };
  await writeFile(join(dir, 'history.json'), JSON.stringify({ announcements: [entry] }));
  const log = [change, later].map((one) => `${JSON.stringify(one)}\n`).join('');
  await writeFile(join(dir, 'changes.jsonl'), log);
});
afterAll(() => rm(root, { recursive: true, force: true }));

function run(args: readonly string[], content = dir) {
  return (args[0] === 'serve' ? runTypebadge : runHere)(args, {
    cwd: root,
    env: {
      TYPEBADGE_CONTENT: content,
      TYPEBADGE_DATA: join(root, 'data'),
      TYPEBADGE_EDITOR: 'ada',
      TZ: 'UTC',
    },
  });
}

const commands = [
  ['list'],
  ['show', 'a'],
  ['preview'],
  ['log'],
  ['validate'],
  ['undo'],
  ['edit', 'a', '--expires', '2998-01-01', '--dry-run', '--verbose'],
  ['edit', `a${evil}`, '--message', 'x'],
  ['publish', 'x', '--link', evil],
  ['export', join('out', evil.replaceAll('/', ''))],
  [evil],
  ['stats', evil],
] as const;

describe.each([[[]], [['--json']]])('with %j, no foreign text controls the terminal', (flags) => {
  test.each(commands.map((args) => [args] as const))('announce %j', async (args) => {
    const { stdout, stderr } = await run(['announce', ...args, ...flags]);
    expect(stdout + stderr).not.toBe('');
    expect(stdout).not.toMatch(foreign);
    expect(stderr).not.toMatch(foreign);
  });
});

test('the JSON output has the same meaning as the file', async () => {
  const { stdout } = await run(['announce', 'log', '--json']);
  expect(JSON.parse(stdout).changes[0].by).toBe(evil);
});

test('a server that refuses the folder says so without foreign control characters', async () => {
  const broken = join(root, `broken ${evil.replaceAll('/', '')}`);
  await mkdir(broken);
  await writeFile(join(broken, 'history.json'), JSON.stringify({ announcements: [{ [evil]: 1, id: evil }] }));
  for (const args of [
    ['serve', '--port', '0'],
    ['announce', 'list'],
    ['announce', 'validate'],
  ]) {
    const { code, stdout, stderr } = await run(args, broken);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(foreign);
  }
});

test.each([
  ['history.json', `{"announcements": [],\n "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 2],
  ['history.json', `{"announcements": ${'[{"x":'.repeat(50_000)}`, 1],
  ['origins.json', `{"origins": [],\n\n "x": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 3],
])('deeply nested JSON in %s is named with file and line, by every command', async (name, text, line) => {
  const deep = await mkdtemp(join(root, 'deep-'));
  await writeFile(join(deep, 'history.json'), '{"announcements": []}');
  await writeFile(join(deep, name), text);
  const args =
    name === 'history.json' ? ['announce', 'publish', 'x'] : ['origins', 'add', 'https://example.org'];
  for (const command of [args, ['announce', 'validate'], ['serve', '--port', '0']]) {
    const { code, stdout, stderr } = await run(command, deep);
    expect([command, code]).toEqual([command, 1]);
    expect(stdout + stderr).toContain(`${name}:${line}`);
    expect(stdout + stderr).not.toMatch(/call stack|RangeError/);
  }
});
