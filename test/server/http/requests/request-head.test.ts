import { describe, expect, test } from 'vitest';
import { createCors, createOriginList } from '../../../../src/server/http/cors.ts';
import {
  findFramingProblem,
  findHostProblem,
  findMethodProblem,
  hasProperHost,
} from '../../../../src/server/http/pipeline.ts';
import type { RateLimiter } from '../../../../src/server/http/rate-limiter.ts';
import * as refusals from '../../../../src/server/http/refusals.ts';
import { jsonReply } from '../../../../src/server/http/reply.ts';
import {
  type Context,
  charge,
  newRequestId,
  readRequestHead,
  requestIdOf,
  takeTokens,
} from '../../../../src/server/http/request.ts';
import type { Endpoint, RouteGroup } from '../../../../src/server/http/router.ts';

const known = [
  ['Origin', 'origin'],
  ['Accept', 'accept'],
  ['Accept-Encoding', 'acceptEncoding'],
  ['X-Forwarded-For', 'forwardedFor'],
  ['If-Match', 'ifMatch'],
  ['If-None-Match', 'ifNoneMatch'],
  ['Sec-Fetch-Site', 'secFetchSite'],
  ['Transfer-Encoding', 'transferEncoding'],
  ['Upgrade', 'upgrade'],
] as const;

describe('the head of a request', () => {
  test.each(known)('has %s, in any case; sent twice, its values are joined', (name, field) => {
    expect(readRequestHead([name, 'a'])[field]).toBe('a');
    expect(readRequestHead(['X', 'y', name.toUpperCase(), 'a', name.toLowerCase(), 'b'])[field]).toBe('a, b');
    for (const [, other] of known)
      if (other !== field) expect(readRequestHead([name, 'a'])[other]).toBeUndefined();
  });

  test('counts the Host headers, and has the last one', () => {
    expect(readRequestHead(['Host', 'a', 'host', 'b'])).toMatchObject({ host: 'b', hosts: 2 });
    expect(readRequestHead([])).toMatchObject({ host: undefined, hosts: 0 });
  });

  test('leaves out headers that only look alike', () => {
    const nothing = readRequestHead([]);
    expect(readRequestHead(['Hosts', 'a', 'Cookie', 'b', 'Hos', 'c', 'Best', 'd', 'X-Origin', 'e'])).toEqual(
      nothing,
    );
  });
});

test.each([
  [1, '1.1', true],
  [0, '1.1', false],
  [2, '1.1', false],
  [0, '1.0', true],
  [1, '1.0', true],
  [2, '1.0', false],
])('%i Host headers in HTTP/%s are proper: %s', (hosts, version, expected) => {
  expect(hasProperHost(hosts, version)).toBe(expected);
});

test.each([
  ['1.1', {}, undefined],
  ['1.0', {}, undefined],
  ['0.9', {}, refusals.versionNotSupported],
  ['2.0', {}, refusals.versionNotSupported],
  ['1.1', { transferEncoding: 'Chunked' }, undefined],
  ['1.1', { transferEncoding: 'gzip, chunked' }, refusals.codingNotKnown],
  ['1.0', { transferEncoding: 'chunked' }, refusals.framingNotProper],
  ['1.1', { hosts: 2 }, refusals.hostNotProper],
])('the framing of HTTP/%s with %j', (version, more, refusal) => {
  const request = { httpVersion: version, rawHeaders: ['Host', 'a'] };
  expect(findFramingProblem(request, { ...readRequestHead(request.rawHeaders), ...more })).toBe(refusal);
});

test('both the host and the authority of the target must be served', () => {
  const isServed = (host: string | undefined) => host === 'a';
  const problem = (host: string, authority?: string) =>
    findHostProblem(readRequestHead(['Host', host]), { path: '/', query: '', authority }, isServed);
  expect([problem('a'), problem('a', 'a')]).toEqual([undefined, undefined]);
  for (const refused of [problem('b'), problem('a', 'b'), problem('b', 'a')])
    expect(refused).toBe(refusals.hostNotAllowed);
});

describe('a method', () => {
  const cors = createCors({
    origins: () => createOriginList({ patterns: [] }),
    methods: '',
    headers: '',
    maxAge: 1,
  });
  const newEndpoint = (group: RouteGroup): Endpoint => ({
    group,
    route: '/a',
    routes: new Map(
      (['GET', 'HEAD', 'POST'] as const).map((method) => [
        method,
        { method: 'GET' as const, path: '/a', handler: () => jsonReply(200, {}) },
      ]),
    ),
    allow: 'GET, HEAD, POST',
  });
  const problem = (method: string, group: RouteGroup, origin?: string, allowed?: string) => {
    const head = readRequestHead(origin === undefined ? [] : ['Origin', origin]);
    return findMethodProblem(newEndpoint(group), { method, head } as Context, allowed);
  };

  test('that a path does not have is refused with those that it has', () => {
    expect(problem('PATCH', { routes: [] })).toBe(refusals.methodNotAllowed('GET, HEAD, POST'));
    for (const method of ['GET', 'HEAD', 'POST']) expect(problem(method, { routes: [] })).toBeUndefined();
  });

  test('that changes something is refused to the page of a site that is not listed', () => {
    const open: RouteGroup = { routes: [], cors };
    const site = 'https://a.example';
    expect(problem('POST', open, site)).toBe(refusals.originNotAllowed);
    expect([problem('GET', open, site), problem('HEAD', open, site)]).toEqual([undefined, undefined]);
    expect([problem('POST', open), problem('POST', open, site, site)]).toEqual([undefined, undefined]);
    expect(problem('POST', { routes: [] }, site)).toBeUndefined();
  });
});

test('ids of requests are 96 bits each, and never the same, even beyond one supply of them', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(new Set(ids).size).toBe(1_000);
});

describe('the tokens of a request', () => {
  function newContext(allowed: boolean, isLate = false) {
    const asked: unknown[][] = [];
    const verdict = { allowed, headers: ['RateLimit', 'x'] };
    const limiter: RateLimiter = {
      name: 'api',
      take: (...args) => {
        asked.push(args);
        return isLate ? Promise.resolve(verdict) : verdict;
      },
    };
    const observation = { id: undefined, route: undefined, refusedBy: undefined };
    const context = {
      client: 'c',
      id: undefined,
      observation,
      limiter,
      asked: 0,
      limitHeaders: [],
    } as unknown as Context;
    return { context, asked };
  }

  test('are taken from the limit of its client, each time with those before', async () => {
    for (const isLate of [false, true]) {
      const { context, asked } = newContext(true, isLate);
      expect(await takeTokens(context, 1)).toBe(true);
      await charge(context, 5);
      expect(asked).toEqual([
        ['c', 1, 0],
        ['c', 5, 1],
      ]);
      expect(context.asked).toBe(6);
      expect(context.limitHeaders).toEqual(['RateLimit', 'x']);
      expect(context.observation?.refusedBy).toBeUndefined();
    }
  });

  test('that are too few refuse it, which observers see', async () => {
    const refusal = { status: 429, code: 'RATE_LIMITED', message: expect.stringContaining('Retry-After') };
    for (const isLate of [false, true]) {
      const { context } = newContext(false, isLate);
      expect(await takeTokens(context, 1)).toBe(false);
      expect(context.observation?.refusedBy).toBe('api');
      await expect((async () => charge(context, 1))()).rejects.toMatchObject(refusal);
    }
  });

  test('cost nothing where there is no limit, or nothing to pay', async () => {
    const { context, asked } = newContext(false);
    expect(takeTokens(context, 0)).toBe(true);
    expect(asked).toEqual([]);
    context.limiter = undefined;
    expect(takeTokens(context, 3)).toBe(true);
    await charge(context, 3);
    expect(context.asked).toBe(0);
  });

  test('and its id are its own: it keeps the one that it has', () => {
    const { context } = newContext(true);
    const id = requestIdOf(context);
    expect(requestIdOf(context)).toBe(id);
    context.id = 'given';
    expect(requestIdOf(context)).toBe('given');
  });
});
