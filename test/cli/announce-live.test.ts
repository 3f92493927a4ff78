import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { parseHistory } from '../../src/server/stores/content/history-file.ts';
import { send } from '../support/http-client.ts';
import { runHere } from '../support/typebadge-here.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let dir: string;
let env: Record<string, string>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-live-'));
  env = { TYPEBADGE_CONTENT: dir, TYPEBADGE_DATA: join(dir, 'data'), TYPEBADGE_EDITOR: 'ada' };
  await writeFile(join(dir, 'history.json'), '{"announcements": []}');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const run = (...args: string[]) => runHere(args, { env });

/** Asks until the answer is as wished; a test that waits in vain fails by its time limit. */
async function until<T>(ask: () => Promise<T>, isAsWished: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isAsWished(answer)) return answer;
    await sleep(150);
  }
}

test('a running server shows what editors do, without a restart: publish, edit, withdraw, undo, origins', async () => {
  const server = await startServeProcess([], { env });
  const message = async () => {
    const { status, body } = await send(server.port, { path: '/content/announcement.json' });
    return status === 404 ? 'none' : JSON.parse(body.toString()).message;
  };
  expect(await message()).toBe('none');
  await run('announce', 'publish', 'first', '--id', 'a');
  await until(message, (text) => text === 'first');
  await run('announce', 'publish', 'soon', '--id', 'b', '--at', '+1h');
  await run('announce', 'edit', 'a', '--message', 'first, corrected');
  await until(message, (text) => text === 'first, corrected');
  await run('announce', 'withdraw', 'a');
  await until(message, (text) => text === 'none');
  await run('announce', 'undo');
  await until(message, (text) => text === 'first, corrected');
  const history = JSON.parse((await send(server.port, { path: '/content/history.json' })).body.toString());
  expect(history.announcements.map(({ id }: { id: string }) => id)).toEqual(['a']);

  const allowed = async () => {
    const headers = { Origin: 'https://www.example.org' };
    const answer = await send(server.port, { path: '/content/announcement.json', headers });
    return answer.headers['access-control-allow-origin'];
  };
  expect(await allowed()).toBeUndefined();
  expect(await run('origins', 'test', 'https://www.example.org')).toMatchObject({ code: 1 });
  expect(await run('origins', 'add', 'https://*.example.org')).toMatchObject({ code: 0 });
  expect(await run('origins', 'test', 'https://www.example.org')).toMatchObject({ code: 0 });
  await until(allowed, (origin) => origin === 'https://www.example.org');
  await run('origins', 'remove', 'https://*.example.org');
  await until(allowed, (origin) => origin === undefined);
  server.child.kill();
  expect(await server.finished).toMatchObject({ code: 0 });
});

test('a server is found by its content, too, if that is in its data folder', async () => {
  const content = join(dir, 'content');
  const server = await startServeProcess([], { env: { TYPEBADGE_CONTENT: content, TYPEBADGE_DATA: dir } });
  const { stdout } = await runHere(['announce', 'publish', 'first', '--content', content], {});
  expect(stdout).toContain(`, served at http://127.0.0.1:${server.port}.`);
});

test('stats counts what visitors did, per announcement and site', async () => {
  await run('announce', 'publish', 'Counted', '--id', 'a');
  await run('origins', 'add', 'https://one.example', 'https://two.example');
  const server = await startServeProcess([], { env });
  const pulse = (event: string, origin: string) =>
    send(server.port, { path: `/pulse?event=${event}&id=a`, headers: { Origin: origin } });
  const happened = [
    ...Array.from({ length: 8 }, () => pulse('impression', 'https://one.example')),
    ...Array.from({ length: 2 }, () => pulse('impression', 'https://two.example')),
    pulse('click', 'https://one.example'),
    pulse('click', 'https://two.example'),
    pulse('dismiss', 'https://one.example'),
    pulse('impression', 'https://elsewhere.example'),
  ];
  expect((await Promise.all(happened)).map(({ status }) => status)).toEqual(happened.map(() => 204));
  server.child.kill();
  await server.finished;

  const { stdout, code } = await run('announce', 'stats', '--json', '--days', '3');
  expect(code).toBe(0);
  const stats = JSON.parse(stdout);
  const sites = [
    { site: 'one.example', impressions: 8, clicks: 1, dismissals: 1, clickThrough: 0.125 },
    { site: 'two.example', impressions: 2, clicks: 1, dismissals: 0, clickThrough: 0.5 },
    { site: 'other', impressions: 1, clicks: 0, dismissals: 0, clickThrough: 0 },
  ];
  const total = { impressions: 11, clicks: 2, dismissals: 1, clickThrough: 2 / 11 };
  expect(stats).toEqual({
    since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    total,
    days: [expect.anything(), expect.anything(), expect.anything()],
    announcements: [{ id: 'a', message: 'Counted', ...total, sites }],
    sites,
  });
  // Around midnight the counts may lie on two days.
  const perDay = stats.days.map(({ impressions }: { impressions: number }) => impressions);
  expect(perDay.reduce((sum: number, count: number) => sum + count)).toBe(11);

  const text = (await run('announce', 'stats')).stdout;
  expect(text).toMatch(/a {2}Counted +11 +2 +18\.2 % +1/);
  expect(text).toMatch(/one\.example +8 +1 +12\.5 % +1/);
  expect((await run('announce', 'stats', 'nope')).code).toBe(1);
  expect((await run('announce', 'stats', '--data', join(dir, 'empty'))).stdout).toContain(
    'Nothing was counted',
  );
});

test('a publish whose process was killed at a random moment is there completely or not at all', async () => {
  const reported: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    const child = spawn(
      process.execPath,
      [packageFile('bin', 'typebadge.js'), 'announce', 'publish', `number ${count}`, '--json'],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    // From the first moment of the program to well after its end.
    const timer = setTimeout(() => child.kill('SIGKILL'), 30 + Math.random() * 500);
    await once(child, 'close');
    clearTimeout(timer);
    if (out.endsWith('}\n')) reported.push(JSON.parse(out).announcement.id);
    const result = parseHistory(await readFile(join(dir, 'history.json'), 'utf8'));
    if ('problems' in result) throw new Error(JSON.stringify(result.problems));
    const ids = result.history.announcements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(reported.filter((id) => !ids.includes(id))).toEqual([]);
  }
  // Whatever the dead left behind keeps nobody from going on.
  expect(await run('announce', 'publish', 'the last')).toMatchObject({ code: 0 });
});

test('origins list, add, remove and test have a stable JSON format', async () => {
  const json = async (...args: string[]) => {
    const { stdout, code } = await run('origins', ...args, '--json');
    return [code, JSON.parse(stdout)];
  };
  const unserved = { warnings: [], content: expect.any(String), servers: [] };
  expect(await json('list')).toEqual([0, { origins: [] }]);
  expect(
    await json('add', 'HTTPS://Example.org:443', 'https://*.example.com', 'https://example.org'),
  ).toEqual([
    0,
    {
      added: ['https://example.org', 'https://*.example.com'],
      origins: ['https://example.org', 'https://*.example.com'],
      ...unserved,
    },
  ]);
  expect(await json('add', 'https://example.org')).toEqual([
    0,
    { added: [], origins: ['https://example.org', 'https://*.example.com'], ...unserved },
  ]);
  const tested = (origin: string, entry: string | null, loopback = false) => ({
    origin,
    allowed: entry !== null,
    entry,
    loopback,
  });
  expect(await json('test', 'https://a.b.example.com/some/page?x')).toEqual([
    0,
    tested('https://a.b.example.com', 'https://*.example.com'),
  ]);
  expect(await json('test', 'https://example.com')).toEqual([1, tested('https://example.com', null)]);
  expect(await json('test', 'http://example.org')).toEqual([1, tested('http://example.org', null)]);
  expect(await json('test', 'http://localhost:3000')).toEqual([
    0,
    tested('http://localhost:3000', null, true),
  ]);
  expect(await json('remove', 'https://nope.example')).toEqual([
    1,
    { error: 'https://nope.example is not on the list; typebadge origins list shows it.', code: 'REFUSED' },
  ]);
  expect(await json('remove', 'https://example.org')).toEqual([
    0,
    { removed: ['https://example.org'], origins: ['https://*.example.com'], ...unserved },
  ]);
  const before = await readFile(join(dir, 'origins.json'), 'utf8');
  for (const bad of [
    'example.org',
    'https://example.org/path',
    'https://*',
    'ftp://example.org',
    'https://a.*.org',
  ]) {
    expect(await json('add', bad)).toEqual([2, { error: expect.stringContaining(bad), code: 'USAGE' }]);
  }
  expect(await readFile(join(dir, 'origins.json'), 'utf8')).toBe(before);
});
