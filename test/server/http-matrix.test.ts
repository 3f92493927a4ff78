import { createHash } from 'node:crypto';
import { METHODS } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, send } from '../support/http-client.ts';
import { highLimits, lasting, startTestServer, type TestServer } from '../support/test-server.ts';

/** What a header must be: this text, a pattern, or absent (null). */
type Expected = string | RegExp | null;
type Row = readonly [
  request: string,
  sent: Readonly<Record<string, string>>,
  status: number,
  expected: Readonly<Record<string, Expected>>,
  body?: string | RegExp,
];

const script = '/js/typebadge-inject.min.js';
const style = '/css/typebadge-inject.min.css';
const logo = '/images/typebadge-logo.svg';
const current = '/content/announcement.json';
const history = '/content/history.json';
const listed = { origin: 'https://example.org' };
const unlisted = { origin: 'https://evil.example' };
const noCors = {
  'access-control-allow-origin': null,
  'access-control-allow-methods': null,
  'access-control-allow-headers': null,
  'access-control-max-age': null,
  'access-control-allow-credentials': null,
};
const echoed = {
  'access-control-allow-origin': 'https://example.org',
  'access-control-allow-credentials': null,
};
const preflight = {
  ...echoed,
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Accept, Content-Type',
  'access-control-max-age': '86400',
  'content-length': null,
  'content-type': null,
};
const common = { 'x-content-type-options': 'nosniff', vary: /(^|, )Origin(,|$)/ };
const embeddable = { ...common, 'cross-origin-resource-policy': 'cross-origin' };
const shortCache = 'public, max-age=3600, must-revalidate';
const cached = (type: string, cacheControl: string) => ({
  ...embeddable,
  'content-type': type,
  'cache-control': cacheControl,
  etag: /^"[^"]+"$/,
});
const contentHeaders = cached('application/json', 'public, max-age=900, must-revalidate');
const json = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': /^default-src 'none'; /,
  'x-content-type-options': 'nosniff',
  ...noCors,
};
const limits = (name: string, q: number, w: number) => ({
  'ratelimit-policy': `"${name}";q=${q};w=${w}`,
  ratelimit: new RegExp(`^"${name}";r=\\d+;t=\\d+$`),
});
const announcementJson = JSON.stringify(lasting);
/** The coding of an answer by `Accept-Encoding`. */
const codings = {
  br: 'br',
  gzip: 'gzip',
  'gzip, deflate, br, zstd': 'br',
  'br;q=0.2, gzip;q=0.8': 'gzip',
  'br;q=0, gzip;q=0': null,
  '*': 'br',
  'br;q=nonsense': null,
};
const asset = (path: string, headers: Readonly<Record<string, Expected>>): Row[] => [
  [`GET ${path}`, {}, 200, { ...headers, ...noCors, ...limits('assets', 100_000, 1) }],
  [`GET ${path}`, listed, 200, { ...headers, ...echoed }],
  [`GET ${path}`, unlisted, 200, { ...headers, ...noCors }],
  [`GET ${path}`, { origin: 'null' }, 200, { ...headers, ...noCors }],
  [`HEAD ${path}`, listed, 200, { ...headers, ...echoed, 'content-length': /^[1-9]\d*$/ }, ''],
  ...Object.entries(codings).map(
    ([accept, coding]): Row => [
      `GET ${path}`,
      { 'accept-encoding': accept },
      200,
      { ...headers, 'content-encoding': coding, ...(coding && { vary: 'Origin, Accept-Encoding' }) },
    ],
  ),
  [`OPTIONS ${path}`, listed, 204, { ...embeddable, ...preflight, ratelimit: null }, ''],
  [`OPTIONS ${path}`, unlisted, 403, { ...json, ...noCors }, /ORIGIN_NOT_ALLOWED/],
  [`OPTIONS ${path}`, {}, 403, { ...json, ...noCors }, /ORIGIN_NOT_ALLOWED/],
  [`POST ${path}`, listed, 405, { ...json, ...echoed, allow: 'GET, HEAD, OPTIONS' }, /METHOD_NOT_ALLOWED/],
];

const rows: readonly Row[] = [
  ...asset(script, cached('application/javascript', shortCache)),
  ...asset(style, cached('text/css', shortCache)),
  ...asset(logo, cached('image/svg+xml', 'public, max-age=604800, immutable')),
  [
    `GET ${current}`,
    {},
    200,
    { ...contentHeaders, ...noCors, ...limits('content', 100_000, 1) },
    announcementJson,
  ],
  [`GET ${current}`, listed, 200, { ...contentHeaders, ...echoed }, announcementJson],
  [`GET ${current}`, unlisted, 200, { ...contentHeaders, ...noCors }, announcementJson],
  [`GET ${current}`, { origin: 'null' }, 200, { ...contentHeaders, ...noCors }, announcementJson],
  [`GET ${current}?cache=buster`, listed, 200, { ...contentHeaders, ...echoed }, announcementJson],
  [
    `HEAD ${current}`,
    listed,
    200,
    { ...contentHeaders, 'content-length': String(announcementJson.length) },
    '',
  ],
  [`OPTIONS ${current}`, listed, 204, { ...embeddable, ...preflight, ratelimit: null }, ''],
  [`OPTIONS ${current}`, { ...listed, 'access-control-request-method': 'GET' }, 204, preflight, ''],
  [`OPTIONS ${current}`, unlisted, 403, { ...json, ...noCors }, /ORIGIN_NOT_ALLOWED/],
  [`OPTIONS ${current}`, { origin: 'null' }, 403, noCors, /ORIGIN_NOT_ALLOWED/],
  [`OPTIONS ${current}`, {}, 403, { ...noCors, vary: 'Origin' }, /ORIGIN_NOT_ALLOWED/],
  [
    `POST ${current}`,
    {},
    405,
    { ...json, allow: 'GET, HEAD, OPTIONS' },
    /only accepts GET, HEAD, OPTIONS\.".*METHOD_NOT_ALLOWED/,
  ],
  [`PUT ${current}`, listed, 405, { ...echoed, allow: 'GET, HEAD, OPTIONS' }],
  ...METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method)).map(
    (method): Row => [`${method} ${current}`, {}, 405, { allow: 'GET, HEAD, OPTIONS' }],
  ),
  ['PROPFIND /nothing', {}, 404, json, /NOT_FOUND/],
  ['OPTIONS *', {}, 400, json, /INVALID_REQUEST/],
  ['GET *', {}, 400, json, /INVALID_REQUEST/],
  ['GET /health', { upgrade: 'websocket', connection: 'Upgrade' }, 200, { connection: 'close' }, 'OK'],
  [
    'GET /content/active.json',
    listed,
    200,
    { ...contentHeaders, ...echoed },
    `{"announcements":[${announcementJson}]}`,
  ],
  [`GET ${history}`, {}, 200, { ...contentHeaders, ...noCors }, /"active":true/],
  [
    `GET ${history}`,
    listed,
    200,
    { ...contentHeaders, ...echoed },
    /^\{"announcements":\[.*\],"lastUpdated":"[^"]+Z"\}$/,
  ],
  [`GET ${history}`, unlisted, 200, { ...contentHeaders, ...noCors }],
  [`HEAD ${history}`, {}, 200, contentHeaders, ''],
  [`OPTIONS ${history}`, listed, 204, preflight, ''],
  [`OPTIONS ${history}`, unlisted, 403, noCors],
  [
    'GET /health',
    {},
    200,
    { 'content-type': 'text/plain', 'cache-control': 'no-store', ratelimit: null, ...noCors },
    'OK',
  ],
  ['HEAD /health', {}, 200, { 'content-length': '2' }, ''],
  ['GET /health', listed, 200, { ...noCors, vary: null }, 'OK'],
  ['POST /health', {}, 405, { allow: 'GET, HEAD' }],
  ['OPTIONS /health', listed, 405, { allow: 'GET, HEAD', ...noCors }],
  ['GET /healthy', {}, 404, json, /NOT_FOUND/],
  ['GET /health/', {}, 404, json, /NOT_FOUND/],
  ['GET /HEALTH', {}, 404, json],
  ['GET /demo', {}, 200, { ...pageHeaders, ...limits('pages', 100_000, 1) }, /<!doctype html>/i],
  ['GET /demo', listed, 200, pageHeaders],
  ['HEAD /demo', {}, 200, pageHeaders, ''],
  ['POST /demo', {}, 405, { allow: 'GET, HEAD' }],
  ['GET /history', {}, 200, pageHeaders, /The autumn release is here/],
  ['HEAD /history', {}, 200, pageHeaders, ''],
  ['OPTIONS /history', listed, 405, noCors],
  [
    'GET /feed.atom',
    {},
    200,
    { ...embeddable, 'content-type': /^application\/atom\+xml/ },
    /The autumn release is here/,
  ],
  ['GET /feed.json', listed, 200, { ...embeddable, ...echoed, 'content-type': /^application\/feed\+json/ }],
  ['GET /nothing', {}, 404, { ...json, 'request-id': null }, /^\{"error":"[^"]+","code":"NOT_FOUND"\}$/],
  [
    'GET /nothing',
    { accept: 'text/html,*/*;q=0.8' },
    404,
    { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  ],
  ['GET /content/nothing.json', listed, 404, { ...json, ...echoed, vary: 'Origin' }, /NOT_FOUND/],
  ['GET /content/nothing.json', { accept: 'text/html' }, 404, json, /NOT_FOUND/],
  ['GET /js/other-inject.min.js', listed, 404, { ...json, ...echoed }],
  ['GET /js/typebadge-inject.min.js/', listed, 404, { ...json, ...echoed }],
  ['GET /js/typebadge-inject.min.jsx', {}, 404, json],
  [
    'GET /',
    {},
    302,
    { location: '/demo', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    '',
  ],
  ['GET //', {}, 400, json, /INVALID_REQUEST/],
  ['GET //content/announcement.json', {}, 400, json],
  ['GET /content//announcement.json', {}, 400, json],
  ['GET /content/./announcement.json', {}, 400, json],
  ['GET /js/../content/announcement.json', {}, 400, json],
  ['GET /content/%61nnouncement.json', {}, 400, json],
  [
    'GET /pulse?event=impression&id=2026-001',
    listed,
    204,
    { ...embeddable, ...echoed, 'cache-control': 'no-store', ...limits('analytics', 100_000, 1) },
    '',
  ],
  ['GET /pulse?event=click&id=2026-001', {}, 204, noCors, ''],
  ['GET /pulse?event=dismiss&id=2026-001', { dnt: '1' }, 204, { 'cache-control': 'no-store' }, ''],
  ['GET /pulse?event=dismiss&id=2026-001', { 'sec-gpc': '1' }, 204, {}, ''],
  ['HEAD /pulse?event=click&id=2026-001', {}, 204, {}, ''],
  ['GET /pulse?event=hover&id=2026-001', listed, 400, { ...json, ...echoed }, /INVALID_REQUEST/],
  ['GET /pulse?event=click&id=2026-999', {}, 400, json, /INVALID_REQUEST/],
  ['GET /pulse?event=click&event=dismiss&id=2026-001', {}, 400, json, /INVALID_REQUEST/],
  ['GET /pulse', {}, 400, json, /INVALID_REQUEST/],
  ['POST /pulse?event=click&id=2026-001', {}, 405, { allow: 'GET, HEAD, OPTIONS' }],
  ['OPTIONS /pulse', listed, 204, preflight, ''],
  ['GET /api/sessions', unlisted, 200, noCors],
  ['POST /api/sessions', {}, 201, noCors],
  ['POST /api/sessions', listed, 201, echoed],
  ['POST /api/sessions', { 'sec-fetch-site': 'same-site' }, 201, noCors],
  ['POST /api/sessions', unlisted, 403, { ...json, ...noCors }, /ORIGIN_NOT_ALLOWED/],
  ['POST /api/sessions', { 'sec-fetch-site': 'cross-site' }, 403, json, /ORIGIN_NOT_ALLOWED/],
  [`GET ${current}`, { host: 'localhost' }, 200, {}],
  [`GET ${current}`, { host: 'LOCALHOST:1' }, 200, {}],
  [`GET ${current}`, { host: '[::1]:8787' }, 200, {}],
  [`GET ${current}`, { host: 'badge.example.net:8443' }, 200, {}],
  [`GET ${current}`, { host: 'evil.example', ...listed }, 403, { ...json, ...noCors }, /HOST_NOT_ALLOWED/],
  [`GET ${current}`, { host: 'localhost.evil.example' }, 403, json, /HOST_NOT_ALLOWED/],
  [`GET ${current}`, { host: '127.0.0.1.evil.example' }, 403, json],
  [`GET ${current}`, { host: 'localhost.' }, 403, json],
  ['GET /nothing', { host: 'evil.example' }, 403, json, /HOST_NOT_ALLOWED/],
];

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    allowHost: ['badge.example.net'],
    badgeLimits: highLimits,
    files: { 'origins.json': { origins: ['https://example.org', 'https://*.example.com:8443'] } },
  });
});
afterAll(() => server.close());

function check(
  answer: Answer,
  status: number,
  expected: Readonly<Record<string, Expected>>,
  body?: string | RegExp,
) {
  expect(answer.status).toBe(status);
  for (const [name, value] of Object.entries(expected)) {
    const actual = answer.headers[name] as string | undefined;
    if (value === null) expect(actual, name).toBeUndefined();
    else if (typeof value === 'string') expect(actual, name).toBe(value);
    else expect(actual, name).toMatch(value);
  }
  if (typeof body === 'string') expect(answer.body.toString()).toBe(body);
  else if (body !== undefined) expect(answer.body.toString()).toMatch(body);
}

for (const [request, headers, status, expected, body] of rows) {
  test(`${request} with ${JSON.stringify(headers)} answers ${status}`, async () => {
    const [method, path] = request.split(' ') as [string, string];
    check(await send(server.port, { method, path, headers }), status, expected, body);
  });
}

const negotiated = [script, style, logo, history];

test.each(negotiated)(
  '%s has the same bytes in every coding, each under a strong tag of its own',
  async (path) => {
    const plain = await send(server.port, { path });
    const br = await send(server.port, { path, headers: { 'accept-encoding': 'br' } });
    const gzip = await send(server.port, { path, headers: { 'accept-encoding': 'gzip' } });
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(plain.headers.etag).toContain(
      createHash('sha256').update(plain.body).digest('base64url').slice(0, 22),
    );
  },
);

test('If-None-Match is answered with the tag of each file', async () => {
  for (const path of [script, current, history, '/demo']) {
    const { etag = '' } = (await send(server.port, { path })).headers;
    const ask = async (name: string, value: string) =>
      (await send(server.port, { path, headers: { [name]: value } })).status;
    expect(await ask('if-none-match', '"other"')).toBe(200);
    const again = await send(server.port, { path, headers: { 'if-none-match': `W/${etag}`, ...listed } });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
    expect(again.headers['cache-control']).toBeDefined();
    expect(again.headers['content-type']).toBeUndefined();
    if (path !== '/demo') check(again, 304, { ...embeddable, ...echoed, ratelimit: /r=\d+/ });
  }
});

test('a tag of another coding does not make a 304', async () => {
  const br = await send(server.port, { path: script, headers: { 'accept-encoding': 'br' } });
  const tag = { 'if-none-match': br.headers.etag as string };
  expect((await send(server.port, { path: script, headers: tag })).status).toBe(200);
  expect(
    (await send(server.port, { path: script, headers: { ...tag, 'accept-encoding': 'br' } })).status,
  ).toBe(304);
});

test('HEAD announces the length that GET sends, in every coding', async () => {
  for (const path of [...negotiated, current, '/demo', '/history', '/feed.atom', '/health']) {
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': coding };
      const get = await send(server.port, { path, headers });
      const head = await send(server.port, { method: 'HEAD', path, headers });
      expect(head.headers['content-length'], path).toBe(String(get.body.length));
      expect(head.headers.etag).toBe(get.headers.etag);
    }
  }
});

test('a cached answer is right for the next client', async () => {
  const ask = async (headers: Record<string, string>) => {
    const answer = await send(server.port, { path: current, headers });
    return [answer.headers['access-control-allow-origin'], answer.headers.connection, answer.body.length > 0];
  };
  const other = 'https://a.example.com:8443';
  for (let round = 0; round < 3; round += 1) {
    expect(await ask({})).toEqual([undefined, 'keep-alive', true]);
    expect(await ask(listed)).toEqual(['https://example.org', 'keep-alive', true]);
    expect(await ask({ ...listed, upgrade: 'h2c' })).toEqual(['https://example.org', 'close', true]);
    expect(await ask({ origin: other })).toEqual([other, 'keep-alive', true]);
    expect(await ask(unlisted)).toEqual([undefined, 'keep-alive', true]);
  }
});

test('the absolute form of a request target is understood', async () => {
  const answer = await send(server.port, { path: `http://127.0.0.1:${server.port}${current}?x` });
  check(answer, 200, contentHeaders, announcementJson);
});

test('no server starts with an allow-list that has an invalid entry', async () => {
  await expect(startTestServer({ files: { 'origins.json': { origins: ['https://*'] } } })).rejects.toThrow(
    /origins\.json/,
  );
});
