import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl, type RedisAddress } from '../../../src/server/settings/store-url.ts';
import { send } from '../../support/http-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient, playRound, type TypingClient } from '../../support/typing-client.ts';

// Servers of this version, and records as the next one may write them to the store that both share.

describe.skipIf(!hasRedis)('while some of the servers have been upgraded to a later version', () => {
  let dir: string;
  let redis: RedisProcess;
  let server: TestServer;
  let client: TypingClient;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-upgrade-'));
    redis = await startRedis(dir);
    server = await startTestServer({ store: parseStoreUrl(redis.url) as RedisAddress });
    client = createTypingClient(server.port);
  });
  afterAll(async () => {
    await server.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const keyOf = (id: string) => `typebadge:record:session/${id}`;
  /** As a server of the next version writes it: a format that this one does not know. */
  const upgrade = async (id: string) => {
    const header = JSON.parse(String(await redis.command('HGET', keyOf(id), '.session')));
    const later = { v: header.v + 1, shape: 'of another kind' };
    await redis.command('HSET', keyOf(id), '.session', JSON.stringify(later), 'v', 'of-another-server');
  };

  test('a session written by a later version looks to its client as if the store were away, and stays as it is', async () => {
    const id = await client.createSession();
    await client.startRound(id);
    await upgrade(id);
    const before = await redis.command('HGETALL', keyOf(id));
    const requests: [string, string, object?][] = [
      ['GET', `/sessions/${id}/state`],
      ['POST', `/sessions/${id}/keystroke`, { char: 'a', seq: 1 }],
      ['POST', `/sessions/${id}/round`],
      ['POST', `/sessions/${id}/save`],
      ['DELETE', `/sessions/${id}`],
    ];
    for (const [method, path, body] of requests) {
      const text = body === undefined ? '' : JSON.stringify(body);
      const answer = await send(server.port, {
        method,
        path: `/api${path}`,
        headers: text === '' ? {} : { 'Content-Type': 'application/json' },
        body: text,
      });
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '1']);
      expect(JSON.parse(answer.body.toString()).code).toBe('STORE_UNAVAILABLE');
    }
    const after = await redis.command('HGETALL', keyOf(id));
    const told = (reply: unknown) => (reply as string[]).filter((text) => text.includes('{'));
    expect(told(after)).toEqual(told(before));
    expect((await send(server.port, { path: '/health/ready' })).status).toBe(200);
  });

  test('the other sessions can be listed and typed in, and new ones opened', async () => {
    const later = await client.createSession();
    await upgrade(later);
    const own = await client.createSession();
    expect((await client.sessions()).map(({ id }) => id)).toContain(own);
    await playRound(client, own);
    expect((await client.history(own)).total_sessions).toBe(1);
  });

  test('a round saved by a later version does not count here, and stays in the store', async () => {
    const id = await client.createSession();
    const before = (await client.history(id)).total_sessions;
    await playRound(client, id);
    await client.save(id);
    const key = 'typebadge:record:rounds/local';
    const last = Number(await redis.command('HGET', key, 'l'));
    const line = JSON.stringify({ v: 99, id: 'f'.repeat(32), of: 'another kind' });
    await redis.command('HSET', key, `#${last + 1}`, line, 'l', String(last + 1), 'v', 'of-another-server');
    expect((await client.history(id)).total_sessions).toBe(before + 1);
    await playRound(client, id);
    await client.save(id);
    expect((await client.history(id)).total_sessions).toBe(before + 2);
    expect(await redis.command('HGET', key, `#${last + 1}`)).toBe(line);
    const list = await client.call<{ rounds: unknown[] }>('GET', '/rounds');
    expect([list.status, list.body.rounds.length]).toEqual([200, before + 2]);
  });
});
