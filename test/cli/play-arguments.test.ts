import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../support/typebadge-here.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'typebadge-play-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const play = (...args: string[]) =>
  runHere(['play', ...args], {
    env: { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' },
  });
test.each([
  ['constructor', 'there is no file "constructor".\n'],
  ['no-such.txt', 'there is no file "no-such.txt".'],
  ['a\u001b[2J', 'there is no file "a\\u001b[2J".'],
  ['a b', 'too many arguments'],
  ['--layuot dvorak', 'Did you mean --layout?'],
  ['--xyzzy', "unknown option '--xyzzy'"],
  ['--offline -p 8787', '--offline uses no server, and --port names one: leave one of them out.'],
])('"play %s" is answered with what works', async (line, reason) => {
  const { code, stderr } = await play(...line.split(' '));
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test('languages, layouts and code languages are listed by their ids and names', async () => {
  const { code, stdout } = await play('--language', 'list', '--layout', 'list', '--code', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^de +German +Deutsch$/m);
  expect(stdout).toMatch(/^colemak-dh +Colemak-DH$/im);
  expect(stdout).toMatch(/^typescript +ts$/m);
});

test('a file may be given without a flag, but not together with another mode', async () => {
  const file = join(home, 'text.txt');
  writeFileSync(file, 'some words');
  expect((await play(file)).stderr).toContain('Play needs a terminal');
  expect(await play(file, '--time', '15')).toMatchObject({ code: 2 });
});
