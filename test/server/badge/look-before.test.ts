import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLiveContent } from '../../../src/server/badge/live-content.ts';
import { lookBefore } from '../../../src/server/badge/look-before.ts';
import { createLog } from '../../../src/server/settings/log.ts';
import type { Content } from '../../../src/server/stores/content/content.ts';
import { createFolderContent } from '../../../src/server/stores/content/folder-content.ts';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

let server: TestServer;
/** Longer than a look counts as recent. */
const pause = 300;
const historyOf = (message: string, more = {}) => ({ announcements: [{ ...lasting, message, ...more }] });

beforeEach(async () => {
  server = await startTestServer({ watch: 'before-answers' });
});
afterEach(() => server.close());

/** The content of the server's folder, with the number of looks at it. */
async function openCounted(now?: () => number) {
  const folder = createFolderContent(server.contentDir);
  let looks = 0;
  const content: Content = {
    ...folder,
    versions: (names) => {
      looks += 1;
      return folder.versions(names);
    },
  };
  const live = await openLiveContent({
    content,
    allowOrigin: [],
    loopback: true,
    face: {
      brand: 'typebadge',
      baseUrl: 'http://localhost',
      logo: Buffer.from('<svg/>'),
      historyStyle: '',
      historyScript: '',
    },
    log: createLog({ format: 'off' }),
    watch: 'before-answers',
    ...(now === undefined ? {} : { now }),
  });
  return { live, looks: () => looks };
}

test('what was changed while nobody asked is in the first answer, on every path', async () => {
  for (const path of ['/content/announcement.json', '/content/history.json', '/history', '/feed.atom']) {
    const message = `Published before ${path} was asked for`;
    await server.writeContent('history.json', historyOf(message));
    await wait(pause);
    expect((await send(server.port, { path })).body.toString()).toContain(message);
  }
});

test('an origin that was allowed while nobody asked may read the first answer of the typing API', async () => {
  const headers = { origin: 'https://example.org' };
  const ask = () => send(server.port, { method: 'POST', path: '/api/sessions', headers });
  expect((await ask()).status).toBe(403);
  await server.writeContent('origins.json', { origins: ['https://example.org'] });
  await wait(pause);
  const answer = await ask();
  expect(answer.headers['access-control-allow-origin']).toBe('https://example.org');
});

test('a file that was broken while nobody asked makes the server unready at the first question', async () => {
  await server.writeContent('history.json', '{"announcements":');
  await wait(pause);
  expect((await send(server.port, { path: '/health/ready' })).status).toBe(503);
  const { body } = await send(server.port, { path: '/content/announcement.json' });
  expect(JSON.parse(body.toString()).message).toBe(lasting.message);
});

test('many questions at once are all answered, with the same new content', async () => {
  await server.writeContent('history.json', historyOf('For all of them'));
  await wait(pause);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send(server.port, { path: '/content/announcement.json' })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await wait(pause);
  const { body } = await send(server.port, { path: '/content/announcement.json' });
  expect(body.toString()).toContain('For all of them');
});

test('nothing is looked at while nobody asks, and once where many ask within a moment', async () => {
  const { live, looks } = await openCounted();
  await wait(3 * pause);
  expect(looks()).toBe(0);
  const first = live.lookIfDue();
  expect(live.lookIfDue()).toBeUndefined();
  await first;
  expect(looks()).toBe(1);
  await wait(pause);
  await live.lookIfDue();
  expect(looks()).toBe(2);
  live.close();
});

test('a scheduled announcement is there at the first question after its time', async () => {
  const published = Date.parse('2030-01-01T00:00:00Z');
  await server.writeContent(
    'history.json',
    historyOf('From the new year on', { published: '2030-01-01T00:00:00Z' }),
  );
  let now = published - 1000;
  const { live } = await openCounted(() => now);
  expect(live.prepared().publicIds.has(lasting.id)).toBe(false);
  now = published;
  await live.lookIfDue();
  expect(live.prepared().publicIds.has(lasting.id)).toBe(true);
  live.close();
});

test('a key of a typist needs no look at the content', () => {
  const asked: string[] = [];
  const answer = lookBefore(
    () => ({}) as never,
    () => {
      asked.push('looked');
      return undefined;
    },
  );
  answer({ url: '/api/sessions/0/input', headers: {} } as never);
  expect(asked).toEqual([]);
  answer({ url: '/api/sessions/0/input', headers: { origin: 'https://example.org' } } as never);
  answer({ url: '/api/announcements', headers: {} } as never);
  answer({ url: 'http://localhost/api/sessions', headers: {} } as never);
  expect(asked).toHaveLength(3);
});
