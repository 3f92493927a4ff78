import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createCors, createOriginList } from '../../../src/server/http/cors.ts';
import {
  createHostCheck,
  createPipeline,
  framingProblem,
  type PipelineOptions,
} from '../../../src/server/http/pipeline.ts';
import * as refusals from '../../../src/server/http/refusals.ts';
import { finishReply, jsonReply, type Reply } from '../../../src/server/http/reply.ts';
import { readRequestHead } from '../../../src/server/http/request.ts';
import { createRouter, type RouteGroup } from '../../../src/server/http/router.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]', 'localhost:8787', '[::1]:1', 'LOCALHOST:65535'];

test('a server on loopback serves loopback names with any port, and nobody else’s', () => {
  const isServed = createHostCheck({ loopback: true, allowed: [] });
  for (const host of loopbackHosts) expect(isServed(host), host).toBe(true);
  for (const host of [
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    'evil.example:localhost',
    'localhost:',
    'localhost:123456',
    'localhost:80:80',
    'localhost:80x',
    '127.0.0.2',
    '::1',
    '',
    undefined,
  ]) {
    expect(isServed(host), host).toBe(false);
  }
});

test('a refused host stays refused after one that was served, and the other way round', () => {
  const isServed = createHostCheck({ loopback: true, allowed: [] });
  const asked = ['localhost', 'evil.example', 'evil.example', 'localhost', 'localhost', 'evil.example'];
  expect(asked.map(isServed)).toEqual([true, false, false, true, true, false]);
});

test('an additional name is served with any port, one with a port only with that port, both in upper or lower case', () => {
  const isServed = createHostCheck({ loopback: true, allowed: ['Badge.example', 'api.example:8443'] });
  for (const host of ['badge.example', 'BADGE.example:80', 'API.example:8443', ...loopbackHosts]) {
    expect(isServed(host), host).toBe(true);
  }
  for (const host of ['api.example', 'api.example:8444', 'x.badge.example', 'badge.example.']) {
    expect(isServed(host), host).toBe(false);
  }
});

test('a server open to the network serves every name, unless names are given', () => {
  const open = createHostCheck({ loopback: false, allowed: [] });
  expect(['anything.example', undefined].map(open)).toEqual([true, true]);
  const named = createHostCheck({ loopback: false, allowed: ['badge.example'] });
  expect(['badge.example', 'localhost', 'anything.example', undefined].map(named)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const pipeline = (options: Partial<PipelineOptions> = {}) =>
  createPipeline({
    router: createRouter([
      {
        routes: (['GET', 'POST'] as const).map((method) => ({
          ...{ method, path: '/a' },
          handler: ({ path, query }) => jsonReply(200, { path, query }),
        })),
      },
    ]),
    isServedHost: () => true,
    clientOf: () => '192.0.2.1',
    isPagePath: () => false,
    onFault: () => undefined,
    ...options,
  });

/** A request as node:http hands it over. */
const request = (head: Partial<IncomingMessage>) =>
  ({ method: 'GET', url: '/a', httpVersion: '1.1', rawHeaders: ['Host', 'a'], ...head }) as IncomingMessage;

test.each<[string, string[], string, number]>([
  ['once', ['Host', 'a'], '1.1', 200],
  ['once, in HTTP/1.0', ['Host', 'a'], '1.0', 200],
  ['once, among other headers and in any case', ['Accept', 'host', 'hOsT', 'a', 'Via', 'b'], '1.1', 200],
  ['never, in HTTP/1.1', ['Accept', '*/*'], '1.1', 400],
  ['never, in HTTP/1.0', ['Accept', '*/*'], '1.0', 200],
  ['twice', ['Host', 'a', 'Accept', '*/*', 'host', 'a'], '1.1', 400],
  ['twice, in HTTP/1.0', ['Host', 'a', 'Host', 'a'], '1.0', 400],
  ['as the value of another header only', ['Accept', 'Host'], '1.1', 400],
  ['not, but a header of as many letters', ['Date', 'x'], '1.1', 400],
])(
  'a request that names its host %s (%j, HTTP/%s) is answered %s',
  async (_, rawHeaders, httpVersion, status) => {
    expect(await pipeline()(request({ rawHeaders, httpVersion }))).toMatchObject({ status });
  },
);

test.each([
  ['1.1', undefined, undefined],
  ['1.0', undefined, undefined],
  ['0.9', undefined, refusals.versionNotSupported],
  ['2.0', undefined, refusals.versionNotSupported],
  ['1.1', 'Chunked', undefined],
  ['1.1', 'gzip, chunked', refusals.codingNotKnown],
  ['1.0', 'chunked', refusals.framingNotProper],
])('the framing of HTTP/%s with Transfer-Encoding %s', (httpVersion, transferEncoding, refusal) => {
  const rawHeaders = ['Host', 'a'];
  const head = { ...readRequestHead(rawHeaders), transferEncoding };
  expect(framingProblem({ httpVersion, rawHeaders }, head)).toBe(refusal);
});

test('both the host and the authority of the target must be served', async () => {
  const answer = pipeline({ isServedHost: (host) => host === 'a' });
  const statusOf = async (host: string, url = '/a') =>
    (await answer(request({ rawHeaders: ['Host', host], url }))).status;
  expect([await statusOf('a'), await statusOf('a', 'http://a/a')]).toEqual([200, 200]);
  for (const [host, url] of [['b'], ['a', 'http://b/a'], ['b', 'http://a/a']] as const)
    expect(await statusOf(host, url)).toBe(403);
});

test.each([
  ['/badge/a', '/a'],
  ['/a', '/a'],
  ['/badgea', undefined],
  ['/badge', undefined],
  ['/badge/badge/a', undefined],
])('with a public URL that ends in /badge, a request for %s is one for %s', async (url, path) => {
  const { status, body } = await pipeline({ basePath: '/badge' })(request({ url: `${url}?x` }));
  expect([status, body]).toEqual(
    path === undefined ? [404, expect.any(String)] : [200, JSON.stringify({ path, query: 'x' })],
  );
});

const cors = createCors({
  origins: () => createOriginList({ patterns: [] }),
  methods: '',
  headers: '',
  maxAge: 1,
});
const group: RouteGroup = { routes: [], headers: ['X-Group', 'yes'] };
const open: RouteGroup = { routes: [], cors };
const nosniff = ['X-Content-Type-Options', 'nosniff'];

describe('a finished reply', () => {
  test('has its own headers, those of its group and of the limiter, and its length in bytes', () => {
    const reply: Reply = { status: 200, headers: ['A', '1'], body: 'é' };
    expect(finishReply(reply, group, undefined, ['RateLimit', 'x'])).toEqual({
      status: 200,
      headers: ['A', '1', ...nosniff, 'X-Group', 'yes', 'RateLimit', 'x', 'Content-Length', '2'],
      body: 'é',
      encoding: undefined,
    });
    expect(finishReply({ ...reply, encoding: 'latin1' }, undefined, undefined, [])).toMatchObject({
      headers: ['A', '1', ...nosniff, 'Content-Length', '1'],
      encoding: 'latin1',
    });
    expect(
      finishReply({ status: 200, headers: [], body: Buffer.from('é') }, open, undefined, []).headers,
    ).toContain('2');
  });

  test('of a group without headers of its own has those of every answer', () => {
    expect(finishReply({ status: 204, headers: [] }, {}, undefined, []).headers).toEqual(nosniff);
  });

  test('without a body has the length 0, and with a status that has none no length at all', () => {
    expect(finishReply({ status: 200, headers: [] }, undefined, undefined, [])).toMatchObject({
      headers: [...nosniff, 'Content-Length', '0'],
      body: '',
    });
    for (const status of [204, 304])
      expect(finishReply({ status, headers: [], body: 'x' }, undefined, undefined, [])).toEqual({
        status,
        headers: nosniff,
        body: undefined,
      });
  });

  test('depends on the origin in a group that other origins may read, whether one asks or not', () => {
    const headers = (reply: Reply, of: RouteGroup | undefined, allowed?: string) =>
      finishReply(reply, of, allowed, []).headers.slice(nosniff.length, -2);
    const plain: Reply = { status: 200, headers: [] };
    const varied: Reply = { ...plain, vary: 'Accept' };
    expect(headers(plain, undefined)).toEqual([]);
    expect(headers(varied, undefined)).toEqual(['Vary', 'Accept']);
    expect(headers(plain, open)).toEqual(['Vary', 'Origin']);
    expect(headers(varied, open)).toEqual(['Vary', 'Origin, Accept']);
    expect(headers(plain, open, 'https://a.example')).toEqual([
      ...['Access-Control-Allow-Origin', 'https://a.example'],
      ...['Vary', 'Origin'],
    ]);
  });
});

test('a prepared reply is finished once for the same group, origin and limit, and again for any other', () => {
  const reply: Reply = { status: 200, headers: [], body: 'x', isPrepared: true };
  const limit = ['RateLimit', 'x'];
  const first = finishReply(reply, open, 'https://a.example', limit);
  expect(finishReply(reply, open, 'https://a.example', limit)).toBe(first);
  expect(finishReply(reply, open, 'https://b.example', limit).headers).toContain('https://b.example');
  expect(finishReply(reply, open, 'https://b.example', []).headers).not.toContain('RateLimit');
  const unlimited: readonly string[] = [];
  expect(finishReply(reply, open, 'https://b.example', unlimited).headers).not.toContain('X-Group');
  expect(finishReply(reply, group, 'https://b.example', unlimited).headers).toContain('X-Group');
  const { isPrepared: _, ...usual } = reply;
  expect(finishReply(usual, open, undefined, limit)).not.toBe(finishReply(usual, open, undefined, limit));
});
