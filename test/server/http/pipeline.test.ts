import { expect, test } from 'vitest';
import { createListener } from '../../../src/server/http/listener.ts';
import { createHostCheck } from '../../../src/server/http/pipeline.ts';
import { createRateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { jsonReply } from '../../../src/server/http/reply.ts';
import type { Route } from '../../../src/server/http/router.ts';
import { send } from '../../support/http-client.ts';
import { toPipeline } from './pipeline-of-routes.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]', 'localhost:8787', '[::1]:1', 'LOCALHOST:65535'];

test('a server on loopback serves loopback names with any port, and nobody else’s', () => {
  const isServed = createHostCheck(true, []);
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

test('an additional name is served with any port, one with a port only with that port, both in upper or lower case', () => {
  const isServed = createHostCheck(true, ['Badge.example', 'api.example:8443']);
  for (const host of ['badge.example', 'BADGE.example:80', 'API.example:8443', ...loopbackHosts]) {
    expect(isServed(host), host).toBe(true);
  }
  for (const host of ['api.example', 'api.example:8444', 'x.badge.example', 'badge.example.']) {
    expect(isServed(host), host).toBe(false);
  }
});

test('a server open to the network serves every name, unless names are given', () => {
  const open = createHostCheck(false, []);
  expect(['anything.example', undefined].map(open)).toEqual([true, true]);
  const named = createHostCheck(false, ['badge.example']);
  expect(['badge.example', 'localhost', 'anything.example', undefined].map(named)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a request takes as many tokens as its route costs, and one if its method is not allowed', async () => {
  const limiter = createRateLimiter({ name: 'few', rate: 1, burst: 10, now: () => 0 });
  const handler = () => jsonReply(200, { ok: true });
  const routes: readonly Route[] = [
    { method: 'POST', path: '/costly', cost: 3, handler },
    { method: 'POST', path: '/cheap', handler },
  ];
  const listener = createListener(toPipeline(routes, {}, limiter));
  const { port } = await listener.listen(0, '127.0.0.1');
  const left = async (method: string, path: string) =>
    /r=(\d+)/.exec(String((await send(port, { method, path })).headers.ratelimit))?.[1];
  expect(await left('POST', '/costly')).toBe('7');
  expect(await left('POST', '/cheap')).toBe('6');
  expect(await left('GET', '/costly')).toBe('5');
  await listener.close(0);
});
