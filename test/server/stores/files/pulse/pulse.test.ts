import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPulse, readPulse } from '../../../../../src/server/stores/files/pulse/pulse.ts';
import {
  type PulseCount,
  type PulseEvent,
  pulseEvents,
} from '../../../../../src/server/stores/pulse-tally.ts';
import { send } from '../../../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../../../support/test-server.ts';
import { startServeProcess } from '../../../../support/typebadge-process.ts';

let dir: string;
let now: number;
const problems: Error[] = [];
const high = { rate: 100_000, burst: 100_000 };
const open = (folder = dir) => {
  const { count, save } = createPulse({ dir: folder, onProblem: (problem) => problems.push(problem) });
  return {
    save,
    count(event: PulseEvent, announcement: string, site: string) {
      count({ day: new Date(now).toISOString().slice(0, 10), event, announcement, site });
    },
  };
};
const byKey = (counts: readonly PulseCount[]) =>
  Object.fromEntries(
    counts.map(({ day, announcement, event, site, count }) => [
      `${day} ${announcement} ${event} ${site}`,
      count,
    ]),
  );

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-pulse-'));
  now = Date.parse('2026-11-20T12:00:00Z');
  problems.length = 0;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test('counts of several servers in one folder add up over days and saves', async () => {
  const step = fc.record({
    server: fc.nat(2),
    event: fc.constantFrom(...pulseEvents),
    id: fc.constantFrom('2026-001', '2026-002'),
    site: fc.constantFrom('a.example', 'b.example:8443', 'other'),
    saves: fc.boolean(),
    hours: fc.nat(30),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const folder = await mkdtemp(join(dir, 'run-'));
      const servers = [open(folder), open(folder), open(folder)] as const;
      const expected: Record<string, number> = {};
      for (const { server, event, id, site, saves, hours } of steps) {
        now += hours * 3_600_000;
        servers[server as 0].count(event, id, site);
        const key = `${new Date(now).toISOString().slice(0, 10)} ${id} ${event} ${site}`;
        expected[key] = (expected[key] ?? 0) + 1;
        if (saves) await servers[server as 0].save();
      }
      await Promise.all(servers.map((server) => server.save()));
      expect(byKey(await readPulse(folder, '2000-01-01'))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('saving again writes nothing twice, and days before the requested one are left out', async () => {
  const pulse = open();
  pulse.count('click', 'a', 'x.example');
  await pulse.save();
  await pulse.save();
  now += 24 * 3_600_000;
  pulse.count('click', 'a', 'x.example');
  await pulse.save();
  expect((await readPulse(dir, '2026-11-20')).map(({ count }) => count)).toEqual([1, 1]);
  expect((await readPulse(dir, '2026-11-21')).map(({ day }) => day)).toEqual(['2026-11-21']);
});

test('counts that cannot be saved stay for the next attempt', async () => {
  const folder = join(dir, 'blocked');
  await writeFile(folder, 'a file where the folder should be');
  const pulse = open(folder);
  pulse.count('impression', 'a', 'x.example');
  await pulse.save();
  expect(problems).toHaveLength(1);
  await rm(folder);
  pulse.count('impression', 'a', 'x.example');
  await pulse.save();
  expect((await readPulse(folder, '2026-01-01')).map(({ count }) => count)).toEqual([2]);
});

test('a torn line loses only itself', async () => {
  const pulse = open();
  pulse.count('click', 'a', 'x.example');
  await pulse.save();
  const [file = ''] = await readdir(dir);
  const line = await readFile(join(dir, file), 'utf8');
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, file), `${line}${line.slice(0, 20)}\nnonsense\n${line}`);
  expect((await readPulse(dir, '2026-01-01')).map(({ count }) => count)).toEqual([2]);
});

test('while saving fails, memory has a bounded number of counters, and no count is lost', async () => {
  const folder = join(dir, 'blocked');
  await writeFile(folder, 'a file where the folder should be');
  const pulse = open(folder);
  for (let i = 0; i < 60_000; i += 1) pulse.count('impression', 'a', `s${i}.example`);
  pulse.count('impression', 'a', 's7.example');
  await pulse.save();
  await rm(folder);
  await pulse.save();
  const counts = await readPulse(folder, '2026-01-01');
  expect(counts).toHaveLength(50_001);
  expect(counts.find(({ site }) => site === 'other')?.count).toBe(10_000);
  expect(counts.find(({ site }) => site === 's7.example')?.count).toBe(2);
});

describe('a stranger who makes up sites', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({
      data: dir,
      badgeLimits: { assets: high, content: high, analytics: high, pages: high },
      files: {
        'origins.json': { origins: ['https://a.example', 'https://*.b.example', 'https://*.c.example'] },
      },
    });
  });
  const click = (origin: string) =>
    send(server.port, { path: `/pulse?event=click&id=${lasting.id}`, headers: { origin } });
  const countsBySite = async () => {
    await server.close();
    const counts = await readPulse(join(dir, 'pulse'), '2000-01-01');
    return new Map(counts.map(({ site, count }) => [site, count]));
  };

  test('on every port of this computer counts as one site, and does not use up names', async () => {
    for (let port = 1; port <= 1000; port += 1) await click(`http://localhost:${port}`);
    await click('http://127.0.0.1:8080');
    await click('http://[::1]:1');
    for (const origin of ['https://a.example', 'https://new.b.example']) await click(origin);
    expect(await countsBySite()).toEqual(
      new Map([
        ['localhost', 1002],
        ['a.example', 1],
        ['new.b.example', 1],
      ]),
    );
  });

  test('under one wildcard only uses up the names of that wildcard', async () => {
    for (let i = 0; i < 1_200; i += 1) await click(`https://s${i}.b.example`);
    for (const origin of ['https://a.example', 'https://new.c.example', 'https://s7.b.example'])
      await click(origin);
    const counts = await countsBySite();
    expect(counts.size).toBe(1_003);
    expect(counts.get('other')).toBe(200);
    expect(counts.get('a.example')).toBe(1);
    expect(counts.get('new.c.example')).toBe(1);
    expect(counts.get('s7.b.example')).toBe(2);
  });
});

test('the server counts by site, respects opt-outs, and stores nothing about a person', async () => {
  const server = await startTestServer({
    data: dir,
    files: { 'origins.json': { origins: ['https://a.example', 'https://*.b.example:8443'] } },
  });
  const pulse = (event: string, headers: Record<string, string>, method = 'GET') =>
    send(server.port, {
      method,
      path: `/pulse?event=${event}&id=${lasting.id}`,
      headers: { 'user-agent': 'Secret/1.0', cookie: 'secret=1', ...headers },
    });
  await pulse('impression', { origin: 'https://a.example' });
  await pulse('impression', { referer: 'https://a.example/deep/secret-page?secret=1' });
  await pulse('click', { origin: 'https://x.b.example:8443' });
  await pulse('click', { origin: 'https://evil.example' });
  await pulse('dismiss', {});
  await pulse('dismiss', { referer: 'not a url' });
  await pulse('impression', { origin: 'https://a.example', dnt: '1' });
  await pulse('impression', { origin: 'https://a.example', 'sec-gpc': '1' });
  await pulse('impression', { origin: 'https://a.example' }, 'HEAD');
  await server.close();
  const counts = await readPulse(join(dir, 'pulse'), '2000-01-01');
  expect(Object.fromEntries(counts.map(({ event, site, count }) => [`${event} ${site}`, count]))).toEqual({
    'impression a.example': 2,
    'click x.b.example:8443': 1,
    'click other': 1,
    'dismiss other': 2,
  });
  const [file = ''] = await readdir(join(dir, 'pulse'));
  expect(await readFile(join(dir, 'pulse', file), 'utf8')).not.toMatch(/secret|127\.0\.0\.1/i);
});

test('counts are on disk within five seconds, and a killed server loses no more than those', async () => {
  const content = join(dir, 'content');
  await mkdir(content);
  await writeFile(join(content, 'history.json'), JSON.stringify({ announcements: [lasting] }));
  const { child, finished, port } = await startServeProcess([
    '--content',
    content,
    '--data',
    join(dir, 'data'),
  ]);
  await send(port, { path: `/pulse?event=click&id=${lasting.id}` });
  const saved = async () => (await readPulse(join(dir, 'data', 'pulse'), '2000-01-01')).length;
  while ((await saved()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGKILL');
  await finished;
  expect(await saved()).toBe(1);
});
