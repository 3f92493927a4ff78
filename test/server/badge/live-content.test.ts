import { rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLiveContent } from '../../../src/server/badge/live-content.ts';
import { readPublicTree } from '../../../src/server/badge/public-tree.ts';
import { localContext } from '../../../src/server/http/local-transport.ts';
import { newServeConfig } from '../../../src/server/settings/config.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import { createFolderContent } from '../../../src/server/stores/content/folder-content.ts';
import { send } from '../../support/http-client.ts';
import { highLimits, lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer({ badgeLimits: highLimits });
});
afterEach(() => server.close());

/** The content of the server's folder, as a server of its own would have it. */
const openContent = (options: Partial<Parameters<typeof openLiveContent>[0]>) =>
  openLiveContent({
    content: createFolderContent(server.contentDir),
    allowOrigin: [],
    loopback: true,
    branding: {
      brand: 'typebadge',
      baseUrl: 'http://localhost',
      logo: Buffer.from('<svg/>'),
      historyStyle: '',
      historyScript: '',
    },
    log: createLog({ format: 'off' }),
    ...options,
  });

const messageNow = async () => {
  const { status, body } = await send(server.port, { path: '/content/announcement.json' });
  return status === 200 ? JSON.parse(body.toString()).message : status;
};

const until = <T>(ask: () => Promise<T>, wanted: T) => expect.poll(ask, { interval: 20 }).toBe(wanted);
const historyOf = (message: string, more = {}) => ({ announcements: [{ ...lasting, message, ...more }] });

test('a change on disk is served without a restart, on every path', async () => {
  await server.writeContent('history.json', historyOf('Something new'));
  await until(messageNow, 'Something new');
  for (const path of ['/content/history.json', '/history', '/feed.atom', '/feed.json']) {
    expect((await send(server.port, { path })).body.toString()).toContain('Something new');
  }
});

test('a file replaced by a rename is noticed, even with the same size and age', async () => {
  const path = join(server.contentDir, 'history.json');
  const message = 'THE AUTUMN RELEASE IS HERE';
  const { mtime } = await stat(path);
  await writeFile(`${path}.new`, JSON.stringify(historyOf(message)));
  await utimes(`${path}.new`, mtime, mtime);
  await rename(`${path}.new`, path);
  await until(messageNow, message);
});

test('a broken or half-written file is never served: the previous version stays until the next valid one', async () => {
  const text = JSON.stringify(historyOf('Whole again'));
  for (const broken of [text.slice(0, text.length / 2), '', 'null', '{"announcements":[{"id":"x"}]}']) {
    await server.writeContent('history.json', broken);
    await wait(300);
    expect(await messageNow()).toBe(lasting.message);
  }
  await server.writeContent('history.json', text);
  await until(messageNow, 'Whole again');
});

test('while a file is rewritten again and again, every answer is one whole version', async () => {
  let isOver = false;
  const versions = new Set([
    lasting.message,
    ...Array.from({ length: 40 }, (_, i) => `Version ${i} ${'x'.repeat(200)}`),
  ]);
  const rewriting = (async () => {
    for (const message of versions) {
      await server.writeContent('history.json', historyOf(message));
      await wait(30);
    }
    isOver = true;
  })();
  while (!isOver) expect(versions).toContain(await messageNow());
  await rewriting;
});

test('if the history is deleted, its last version keeps being served', async () => {
  await rm(join(server.contentDir, 'history.json'));
  await wait(600);
  expect(await messageNow()).toBe(lasting.message);
});

test('the allow-list is read again, and a broken one changes nothing', async () => {
  const allowed = async () => {
    const headers = { origin: 'https://new.example' };
    const answer = await send(server.port, { path: '/content/announcement.json', headers });
    return answer.headers['access-control-allow-origin'];
  };
  expect(await allowed()).toBeUndefined();
  await server.writeContent('origins.json', { origins: ['https://new.example'] });
  await until(allowed, 'https://new.example');
  await server.writeContent('origins.json', '{"origins":["https://new.example","nonsense"]}');
  await wait(600);
  expect(await allowed()).toBe('https://new.example');
  await server.writeContent('origins.json', { origins: [] });
  await until(allowed, undefined);
});

test('the problem of a broken file is logged once, with its place', async () => {
  const lines: string[] = [];
  const log = createLog({ format: 'pretty', write: (line) => lines.push(line) });
  const content = await openContent({ log });
  await server.writeContent('history.json', '{"announcements":[\n  {"id":"a"}\n]}');
  while (lines.length === 0) await wait(20);
  await wait(700);
  content.close();
  expect(lines).toEqual([expect.stringMatching(/history\.json:2: announcements\[0\].*stays in use/)]);
});

test('a scheduled announcement appears in its second, an expired one disappears, and setting the clock back reverts both', async () => {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const entry = (id: string, published: string, expires: string) => ({
    id,
    message: id,
    link: '',
    published,
    expires,
  });
  await server.writeContent('history.json', {
    announcements: [
      entry('first', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'),
      entry('second', '2026-03-01T00:00:10Z', '2026-03-01T00:00:20Z'),
    ],
  });
  const content = await openContent({ now: () => now });
  const currentId = async () => {
    const file = await content.prepared().files['/content/announcement.json']?.('');
    return JSON.parse(String(file?.reply(localContext({ method: 'GET', path: '/' })).body)).id;
  };
  const publicIds = async () => [...content.prepared().publicIds].join();

  expect(await currentId()).toBe('first');
  now += 9_999;
  await wait(400);
  expect(await currentId()).toBe('first');
  expect(await publicIds()).toBe('first');
  now += 1;
  await until(currentId, 'second');
  expect(await publicIds()).toBe('second,first');
  now += 10_000;
  await until(currentId, undefined);
  now -= 15_000;
  await until(currentId, 'first');
  content.close();
});

test('without a current announcement the answer is a 404 that caches may keep as long as an announcement', async () => {
  await server.writeContent('history.json', { announcements: [] });
  await until(messageNow, 404);
  const { headers, body } = await send(server.port, {
    path: '/content/announcement.json',
    headers: { origin: 'http://localhost' },
  });
  expect(JSON.parse(body.toString())).toEqual({ error: expect.any(String), code: 'NO_ACTIVE_ANNOUNCEMENT' });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=900, must-revalidate',
    'access-control-allow-origin': 'http://localhost',
  });
});

test('the public files have the bytes that the server answers', async () => {
  const config = newServeConfig({ content: server.contentDir, data: join(server.contentDir, '..', 'data') });
  const log = createLog({ format: 'off' });
  const content = createFolderContent(server.contentDir);
  const files = await readPublicTree({ config, content, baseUrl: server.url, log, now: Date.now });
  expect(files).toHaveLength(14);
  for (const { path, identity } of files) expect((await send(server.port, { path })).body).toEqual(identity);
});
