import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { send } from '../../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const burst = 200;
/** A token takes longer to come back than any test here. */
const apiLimit = { rate: 0.001, burst };

describe.skipIf(!hasRedis)('the limit of the typing API over three servers', () => {
  let dir: string;
  let redis: RedisProcess;
  let servers: TestServer[];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-limit-'));
    redis = await startRedis(join(dir, 'redis'));
    const store = parseStoreUrl(redis.url);
    const trustProxy = parseTrustProxy('127.0.0.0/8');
    servers = await Promise.all([0, 1, 2].map(() => startTestServer({ store, trustProxy, apiLimit })));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const ask = async (client: string, turn: number) =>
    send(servers[turn % 3]?.port as number, {
      path: '/api/health',
      headers: { 'x-forwarded-for': client },
    });
  /** How many of so many requests, one server after the other, are not refused. */
  const admitted = async (client: string, count: number) => {
    const statuses: (number | undefined)[] = [];
    for (let from = 0; from < count; from += 30) {
      const part = Array.from({ length: Math.min(30, count - from) }, (_, at) => ask(client, from + at));
      for (const { status } of await Promise.all(part)) statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    return statuses.filter((status) => status === 200).length;
  };

  test('one client gets one limit, not three, and another client its own', async () => {
    // While a busy machine keeps the store from answering in time, servers count by themselves: then another client.
    let client = '';
    let count = 0;
    for (let tries = 0; tries < 8 && Math.abs(count - burst) > burst / 100; tries += 1) {
      client = `203.0.113.${100 + tries}`;
      count = await admitted(client, 3 * burst);
    }
    expect(Math.abs(count - burst)).toBeLessThanOrEqual(burst / 100);
    const { status, headers } = await ask(client, 0);
    expect(status).toBe(429);
    expect(headers).toMatchObject({
      'ratelimit-policy': expect.stringMatching(/^"api";q=200/),
      ratelimit: expect.stringMatching(/^"api";r=0/),
      'retry-after': expect.stringMatching(/^\d+$/),
    });
  });

  test('clients that disconnect while their limit is checked leave nothing behind', async () => {
    redis.freeze();
    const [{ port }] = servers as [TestServer];
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const socket = connect(port, '127.0.0.1');
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.write(
          `POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.51.100.${at}\r\nContent-Length: 100\r\n\r\n{`,
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
        socket.destroy();
      }),
    );
    redis.thaw();
    await eventually(async () => (await ask('203.0.113.9', 0)).status === 200);
  });

  test('while the store is away each server limits on its own, and every request is answered', async () => {
    await redis.kill();
    const statuses = await Promise.all(
      Array.from({ length: burst + 50 }, async () => (await ask('203.0.113.3', 0)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(burst);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  });
});
