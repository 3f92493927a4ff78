import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { runHere } from '../support/typebadge-here.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { newCommandLine } from './command-line.ts';

const line = newCommandLine({ 'history.json': { announcements: [] } });
const run = (...args: string[]) => line.run(args);

test('a server is found by its content, too, if that is in its data folder', async () => {
  const content = join(line.dir, 'content');
  const env = { TYPEBADGE_CONTENT: content, TYPEBADGE_DATA: line.dir };
  const server = await startServeProcess([], { env });
  onTestFinished(() => void server.child.kill());
  const { stdout } = await runHere(['announce', 'publish', 'first', '--content', content], {});
  expect(stdout).toContain(`, served at http://127.0.0.1:${server.port}.`);
});

test('stats counts what visitors did, per announcement and site', async () => {
  await run('announce', 'publish', 'Counted', '--id', 'a');
  await run('origins', 'add', 'https://one.example', 'https://two.example');
  const server = await startServeProcess([], { env: line.env });
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

  const { value: stats, code } = await line.json('announce stats --days 3');
  expect(code).toBe(0);
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
  expect((await run('announce', 'stats', '--data', join(line.dir, 'empty'))).stdout).toContain(
    'Nothing was counted',
  );
});

test('origins list, add, remove and test have a stable JSON format', async () => {
  const json = async (...args: string[]) => {
    const { code, value } = await line.json(['origins', ...args]);
    return [code, value];
  };
  const unserved = { warnings: [], content: expect.any(String), servers: [] };
  const origins = ['https://example.org', 'https://*.example.com'];
  expect(await json('list')).toEqual([0, { origins: [] }]);
  const added = await json('add', 'HTTPS://Example.org:443', 'https://*.example.com', 'https://example.org');
  expect(added).toEqual([0, { added: origins, origins, ...unserved }]);
  expect(await json('add', 'https://example.org')).toEqual([0, { added: [], origins, ...unserved }]);
  for (const [page, code, entry, loopback] of [
    ['https://a.b.example.com/some/page?x', 0, 'https://*.example.com', false],
    ['https://example.com', 1, null, false],
    ['http://example.org', 1, null, false],
    ['http://localhost:3000', 0, null, true],
  ] as const) {
    const { origin } = new URL(page);
    expect(await json('test', page)).toEqual([code, { origin, allowed: entry !== null, entry, loopback }]);
  }
  expect(await json('remove', 'https://nope.example')).toEqual([
    1,
    { error: 'https://nope.example is not on the list; typebadge origins list shows it.', code: 'REFUSED' },
  ]);
  expect(await json('remove', 'https://example.org')).toEqual([
    0,
    { removed: ['https://example.org'], origins: ['https://*.example.com'], ...unserved },
  ]);
  const before = await line.read('origins.json');
  const bad = 'https://example.org/path';
  expect(await json('add', bad)).toEqual([2, { error: expect.stringContaining(bad), code: 'USAGE' }]);
  expect(await line.read('origins.json')).toEqual(before);
});

test('moments are read and shown in the editor’s zone', async () => {
  line.env.TZ = 'America/New_York';
  const { value } = await line.json('announce publish x --expires 2099-07-04');
  expect(value.announcement.expires).toBe('2099-07-05T03:59:59Z');
  expect((await run('announce', 'show')).stdout).toMatch(/End +2099-07-04 23:59:59/);
  expect((await run('announce', 'show', '--zone', 'Asia/Tokyo')).stdout).toMatch(/End +2099-07-05 12:59:59/);
  line.env.TZ = 'Nowhere/Land';
  const lost = await run('announce', 'publish', 'x');
  // Some systems take an unknown TZ for UTC, and then it is UTC.
  if (lost.code !== 0)
    expect(lost.stderr).toContain('There is no time zone "Nowhere/Land": give --zone or TZ one');
});
