import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePublicUrl } from '../../src/server/settings/config-parsers.ts';
import { send } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    publicUrl: 'https://example.org/tools/badge',
    allowHost: ['example.org'],
    badgeLimit: { rate: 0.001, burst: 40 },
  });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => send(server.port, { path, headers });
const paths = ['/demo', '/history', '/health', '/content/announcement.json', '/feed.atom', '/api/health'];

test.each(paths)('%s is answered with and without the path of the public URL in front', async (path) => {
  const [with_, without] = [await get(`/tools/badge${path}`), await get(path)];
  expect([with_.status, without.status]).toEqual([200, 200]);
  expect(with_.body.equals(without.body)).toBe(true);
});

test.each(['/tools/badges/demo', '/tools/demo', '/tools/badge/tools/badge/demo', '/badge/demo'])(
  '%s is not found',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('the bare address leads to a page below the path, whether or not the proxy took it off', async () => {
  for (const path of ['/', '/tools/badge', '/tools/badge/'])
    expect((await get(path)).headers.location).toBe('/tools/badge/history');
});

test('pages, feeds and errors refer only to what is below the path', async () => {
  const base = 'https://example.org/tools/badge/demo';
  for (const path of ['/demo', '/history', '/nothing']) {
    const page = (await get(path, { accept: 'text/html' })).body.toString();
    const links = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(
      ([, link]) => new URL(link as string, base),
    );
    const own = links.filter(({ host, pathname }) => host === 'example.org' && pathname !== '/release');
    expect(own.length).toBeGreaterThan(0);
    for (const { pathname } of own) expect(pathname).toMatch(/^\/tools\/badge\//);
  }
  for (const path of ['/feed.atom', '/feed.json']) {
    const feed = (await get(path)).body.toString();
    expect(feed).toContain('https://example.org/tools/badge/history');
  }
});

test('--badge-limit is the limit of files and content, and of nothing else', async () => {
  const policy = async (path: string) => (await get(path)).headers['ratelimit-policy'];
  expect(await policy('/content/active.json')).toBe('"content";q=40;w=40000');
  expect(await policy('/js/typebadge-inject.min.js')).toBe('"assets";q=40;w=40000');
  expect(await policy('/history')).toBe('"pages";q=20;w=2');
});

test.each([
  ['https://example.org/', 'https://example.org'],
  ['https://example.org/badge/', 'https://example.org/badge'],
  ['http://example.org:8443/a/b.c', 'http://example.org:8443/a/b.c'],
])('the public URL %s is %s', (text, url) => {
  expect(parsePublicUrl(text)).toBe(url);
});

test.each([
  'example.org',
  'https://example.org/a b',
  'https://example.org/%61',
  'https://example.org/a?b',
  'ftp://a',
])('the public URL %s is refused with what would be right', (text) => {
  expect(() => parsePublicUrl(text)).toThrow('https://example.org/badge');
});
