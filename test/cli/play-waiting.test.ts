import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RoundList } from '../../src/contract/answer-types.ts';
import { openRoundFile } from '../../src/tui/link/sync.ts';
import { usualPractised } from '../../src/tui/round/practised.ts';
import { newRoundView } from '../../src/tui/round/round-view.ts';
import { defaultRules } from '../../src/typing/rules/rules.ts';
import { send } from '../support/http-client.ts';
import { startTestServer } from '../support/test-server.ts';
import { runTypebadge } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { typeText } from '../tui/round/round-picture.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'typebadge-waiting-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const play = (...args: string[]) =>
  runTypebadge(['play', ...args], {
    env: { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' },
  });
const unsent = () => join(home, 'data', 'typebadge', 'typist', 'unsent');
const files = () => readdirSync(unsent()).length;

/** A round that was typed without the server it names; not finished where its text is shorter than its words. */
function leaveRound(
  server: string,
  text = 'the cat ',
  folder = unsent(),
  words: readonly string[] = ['the', 'cat'],
): void {
  const practised = { ...usualPractised, mode: { type: 'text' } } as const;
  // No process has this number while the test runs.
  const own = { id: randomUUID(), pid: 2 ** 30, processStart: '', created: Date.UTC(2026, 0, 2) };
  const head = { ...own, server, punctuation: false, words, rules: defaultRules, practised };
  const file = openRoundFile(folder, head);
  file.write(typeText(newRoundView(head), text));
  file.close();
}

const mistyped = 'http://127.0.0.1:1/';

test('rounds that wait for a mistyped server are listed with it, and with the possible actions', async () => {
  expect(await play('--waiting')).toMatchObject({ code: 0, stdout: 'No rounds are waiting for a server.\n' });
  leaveRound(mistyped);
  leaveRound(mistyped);
  leaveRound('');
  leaveRound(mistyped, 'the c');
  const { code, stdout } = await play('--waiting');
  expect(code).toBe(0);
  expect(stdout).toContain('3 rounds not delivered yet:');
  expect(stdout).toContain(`  ${mistyped}: 2 rounds, 2026-01-02\n`);
  expect(stdout).toContain('  this computer: 1 round, 2026-01-02\n');
  expect(stdout).toContain('typebadge play --waiting deliver --server URL');
  expect(stdout).toContain('1 round cut off in the middle:\n  at word 2 of 2, 2026-01-02\n');
  expect(files()).toBe(4);
});

test('a round that was cut off is listed with its place, also if nothing else waits', async () => {
  leaveRound(mistyped, 'the c');
  const { code, stdout } = await play('--waiting');
  expect(code).toBe(0);
  expect(stdout).toMatch(/1 round cut off in the middle:\n {2}at word 2 of 2, 2026-01-02\n/);
  expect((await play('--waiting', 'deliver')).stdout).toMatch(/^No finished round is waiting/);
  expect((await play('--waiting', 'discard')).stdout).toMatch(/^1 round cut off in the middle discarded/);
  expect(files()).toBe(0);
});

test('they are delivered to the server given instead, each once, and a running round stays', async () => {
  leaveRound(mistyped);
  leaveRound(mistyped, 'the c');
  const away = await play('--waiting', 'deliver', '--server', mistyped);
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('no answer from 127.0.0.1:1')]);
  expect(files()).toBe(2);
  const server = await startTestServer();
  try {
    const { stdout } = await play('--waiting', 'deliver', '--server', server.url);
    expect(stdout).toMatch(/^1 round delivered to http:\/\/127\.0\.0\.1:\d+\/\.\n$/);
    expect((await play('--waiting', 'deliver', '--server', server.url)).stdout).toMatch(/^No finished round/);
    const { body } = await createTypingClient(server.port).call<RoundList>('GET', '/rounds');
    expect(body.rounds).toMatchObject([{ mode: 'text', accuracy: 100 }]);
  } finally {
    await server.close();
  }
  expect(files()).toBe(1);
});

test('the command fails if the server takes only some of them', async () => {
  const unknown = 'c\u0000t';
  leaveRound(mistyped);
  leaveRound(mistyped, `${unknown} `, unsent(), [unknown]);
  const server = await startTestServer();
  try {
    const { code, stdout, stderr } = await play('--waiting', 'deliver', '--server', server.url);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`1 round delivered to ${server.url}/, 1 round not`);
  } finally {
    await server.close();
  }
});

test.each(['--port', '--server'])(
  'rounds of a profile are delivered as its player, with %s too',
  async (flag) => {
    leaveRound(mistyped, 'the cat ', join(home, 'data', 'typebadge', 'typist', 'profiles', 'work', 'unsent'));
    const server = await startTestServer();
    try {
      const place = flag === '--port' ? String(server.port) : server.url;
      const { stdout } = await play('--waiting', 'deliver', '--profile', 'work', flag, place);
      expect(stdout).toMatch(/^1 round delivered/);
      const key = (await play('--show-key', '--profile', 'work')).stdout.trim();
      const roundsOf = async (headers: Record<string, string>) =>
        JSON.parse((await send(server.port, { path: '/api/rounds', headers })).body.toString()).rounds.length;
      expect(await roundsOf({ Authorization: `Bearer ${key}` })).toBe(1);
      expect(await roundsOf({})).toBe(0);
    } finally {
      await server.close();
    }
  },
);

test('suggested commands name the profile and the data folder', async () => {
  const data = join(home, 'my data');
  leaveRound(mistyped, 'the cat ', join(data, 'typist', 'profiles', 'work', 'unsent'));
  const { stdout } = await play('--profile', 'work', '--data', data, '--waiting');
  expect(stdout).toContain(`typebadge play --profile work --data '${data}' --waiting discard\n`);
  expect(stdout).toContain(`typebadge play --profile work --data '${data}' --waiting deliver --server URL\n`);
});

test('they can be discarded, and nothing else is', async () => {
  leaveRound(mistyped);
  leaveRound(mistyped, 'the c');
  expect((await play('--waiting', 'discard')).stdout).toMatch(/^1 round discarded/);
  expect(files()).toBe(1);
  expect(await play('--waiting', 'eat')).toMatchObject({ code: 2 });
});

test.each([
  ['15', 'Did you mean --time 15 (seconds) or --words 15?'],
  ['german words', 'Did you mean --language de?'],
  ['Dvorak', 'Did you mean --layout dvorak?'],
  ['python', 'Did you mean --code python?'],
  ['time 60', 'Did you mean --time 60?'],
  ['history', 'Did you mean "typebadge stats"?'],
  ['constructor', 'there is no file "constructor".\n'],
  ['no-such.txt', 'there is no file "no-such.txt".'],
  ['a\u001b[2J', 'there is no file "a\\u001b[2J".'],
  ['--lang=german', 'Did you mean --language?'],
  ['--layuot dvorak', 'Did you mean --layout?'],
  ['--german', 'Did you mean --language de?'],
  ['--lesson', 'Did you mean --guided?'],
  ['--xyzzy', 'unknown option "--xyzzy". (See'],
  ['-t \u001b[2J', 'Did you mean --time 60?'],
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

test('several texts are too many', async () => {
  expect(await play('a', 'b')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('play takes one text'),
  });
});

test('a file may be given without a flag, but not together with another mode', async () => {
  const file = join(home, 'text.txt');
  writeFileSync(file, 'some words');
  expect((await play(file)).stderr).toContain('play needs a terminal');
  expect(await play(file, '--time', '15')).toMatchObject({ code: 2 });
});
