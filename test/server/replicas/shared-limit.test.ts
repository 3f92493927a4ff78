import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { parseStoreUrl, type RedisAddress } from '../../../src/server/settings/store-url.ts';
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
    const store = parseStoreUrl(redis.url) as RedisAddress;
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
    // A machine so busy that the store is late for half a second lets servers count by themselves: then another client.
    const isOne = async (client: string) =>
      Math.abs((await admitted(client, 3 * burst)) - burst) <= burst / 100;
    let tries = 0;
    const findOne = async () => {
      while (tries < 8) if (await isOne(`203.0.113.${100 + ++tries}`)) return;
      throw new Error('no client got one limit');
    };
    await findOne();
    await findOne();
    const { status, headers } = await ask(`203.0.113.${100 + tries}`, 0);
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

describe.skipIf(!hasRedis)('the memory of sessions over two servers', () => {
  let dir: string;
  let redis: RedisProcess;
  let servers: TestServer[];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-memory-'));
    redis = await startRedis(join(dir, 'redis'));
    const store = parseStoreUrl(redis.url) as RedisAddress;
    const trustProxy = parseTrustProxy('127.0.0.0/8');
    const options = { store, trustProxy, apiLimit: 'off', sessionMemory: 2 * 1024 * 1024 } as const;
    servers = await Promise.all([0, 1].map(() => startTestServer(options)));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const post = async (at: number, client: string, path: string, body: object = {}) => {
    const answer = await send(servers[at % 2]?.port as number, {
      method: 'POST',
      path: `/api/sessions${path}`,
      headers: { 'Content-Type': 'application/json', 'x-forwarded-for': client },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: JSON.parse(answer.body.toString()) };
  };
  const text = 'long words of a text '.repeat(470).trim();

  test('long texts of many clients take no more than their budget, and running rounds go on', async () => {
    const typist = '203.0.113.1';
    const { session_id: id } = (await post(0, typist, '')).body;
    const { words } = (await post(0, typist, `/${id}/round`)).body as { readonly words: string[] };
    const statuses = new Map<number, number>();
    for (let at = 0; at < 400; at++) {
      const client = `198.51.100.${at % 250}`;
      const { status } = await post(at, client, '', { mode: { type: 'text', text } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // Each of them takes more than 10 KiB, and the share of a client is 128 KiB.
    expect([...statuses.keys()].sort()).toEqual([201, 503]);
    expect(statuses.get(201)).toBeLessThan(200);
    let last = await post(0, '203.0.113.2', '');
    for (let at = 0; at < 9 && last.status === 201; at++) last = await post(at, `203.0.113.${3 + at}`, '');
    expect(last).toMatchObject({ status: 503, body: { code: 'SESSION_LIMIT_REACHED' } });
    const seen = Number(/used_memory:(\d+)/.exec(String(await redis.command('INFO', 'memory')))?.[1]);
    expect(seen).toBeLessThan(6 * 1024 * 1024);

    const keys = [...words.join(' '), ' '].map((char, at) => ({
      type: char === ' ' ? 'space' : 'keystroke',
      ...(char === ' ' ? {} : { char, seek_time_ms: 100 }),
      seq: at + 1,
    }));
    for (const [at, key] of keys.entries())
      expect((await post(at, typist, `/${id}/input`, { events: [key] })).status).toBe(200);
    const timing = { start_time_unix_ms: 1_000, end_time_unix_ms: 31_000, duration_ms: 30_000 };
    expect((await post(1, typist, `/${id}/timing`, timing)).status).toBe(200);
    expect((await post(0, typist, `/${id}/save`)).status).toBe(200);
  });
});
