import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { type Answer, send, sendRaw } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const current = '/content/announcement.json';
const trusted = parseTrustProxy('127.0.0.0/8');
let server: TestServer;

beforeEach(async () => {
  // One token in ten seconds: what a slow machine takes for a test gives no client a second chance.
  const slow = { rate: 0.1, burst: 20 };
  server = await startTestServer({
    trustProxy: trusted,
    badgeLimits: { assets: slow, content: slow, analytics: { rate: 0.1, burst: 50 }, pages: slow },
  });
});
afterEach(() => server.close());

const from = (client: string, path = current, method = 'GET') =>
  send(server.port, { method, path, headers: { 'x-forwarded-for': client, origin: 'http://localhost:1' } });
const many = (count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask));
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

test('20 at once are allowed and the 21st is a 429 that says when to retry, readable by the page', async () => {
  const answers = await many(21, () => from('203.0.113.1'));
  expect(statuses(answers)).toEqual([...Array(20).fill(200), 429]);
  const refused = answers.find(({ status }) => status === 429) as Answer;
  expect(refused.headers).toMatchObject({
    'retry-after': '10',
    'access-control-allow-origin': 'http://localhost:1',
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'ratelimit-policy': '"content";q=20;w=200',
    ratelimit: '"content";r=0;t=200',
  });
  expect(JSON.parse(refused.body.toString())).toEqual({ error: expect.any(String), code: 'RATE_LIMITED' });
});

test('clients and groups do not affect each other', async () => {
  await many(21, () => from('203.0.113.1'));
  expect((await from('203.0.113.1')).status).toBe(429);
  expect((await from('203.0.113.2')).status).toBe(200);
  expect((await from('203.0.113.1', '/images/typebadge-logo.svg')).status).toBe(200);
  expect((await from('203.0.113.1', '/demo')).status).toBe(200);
  expect((await from('203.0.113.1', '/content/history.json')).status).toBe(429);
  expect(statuses(await many(51, () => from('203.0.113.1', '/pulse?event=click&id=2026-001')))).toEqual([
    ...Array(50).fill(204),
    429,
  ]);
});

test('health checks and preflights take no token', async () => {
  await many(40, () => from('203.0.113.3', '/health'));
  await many(40, () => from('203.0.113.3', current, 'OPTIONS'));
  expect(statuses(await many(20, () => from('203.0.113.3')))).toEqual(Array(20).fill(200));
});

test('a 304 and a 405 take a token like any other answer', async () => {
  await many(20, () => from('203.0.113.4', current, 'POST'));
  expect((await from('203.0.113.4')).status).toBe(429);
});

test.each([32, 97])(
  '%i empty headers in front of X-Forwarded-For hide no client behind its proxy',
  async (count) => {
    const head = `GET ${current} HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(count)}`;
    const answer = await sendRaw(server.port, [
      `${head}X-Forwarded-For: 203.0.113.5\r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    await many(19, () => from('203.0.113.5'));
    expect((await from('203.0.113.5')).status).toBe(429);
    expect((await send(server.port, { path: current })).headers.ratelimit).toMatch(/r=19/);
  },
);

test.each([98, 1_000, 3_500])('%i empty headers in front of X-Forwarded-For are too many', async (count) => {
  const head = `GET ${current} HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(count)}`;
  const answer = await sendRaw(server.port, [
    `${head}X-Forwarded-For: 203.0.113.5\r\nConnection: close\r\n\r\n`,
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
});

test('with the documented limits a client is allowed after the stated wait', async () => {
  const real = await startTestServer();
  const ask = () => send(real.port, { path: current });
  let refused = await ask();
  for (let i = 0; refused.status === 200 && i < 1_000; i += 1) {
    refused = (await many(30, ask)).find(({ status }) => status === 429) ?? refused;
  }
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
  await wait(1_000);
  expect((await ask()).status).toBe(200);
  await real.close();
});
