import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl, type RedisAddress } from '../../../src/server/settings/store-url.ts';
import { send } from '../../support/http-client.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { createTypingClient, flawless, playRound, type TypingClient } from '../../support/typing-client.ts';

describe.skipIf(!hasRedis)('three servers with one store', () => {
  let dir: string;
  let redis: RedisProcess;
  let servers: TestServer[];
  let clients: TypingClient[];
  let turn = 0;
  /** As behind a proxy that takes one server after another. */
  const next = () => clients[turn++ % clients.length] as TypingClient;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-replicas-'));
    redis = await startRedis(join(dir, 'redis'), ['--appendonly', 'yes', '--appendfsync', 'always']);
    const store = parseStoreUrl(redis.url) as RedisAddress;
    servers = await Promise.all([0, 1, 2].map(() => startTestServer({ store })));
    clients = servers.map(({ port }) => createTypingClient(port));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  test('a round begun on one server is typed on all and finished on any', async () => {
    const id = await next().createSession();
    const { words } = await next().startRound(id);
    for (const event of flawless(words)) {
      const [result] = await next().input(id, [event]);
      expect(result).toBeDefined();
    }
    await next().timing(id, 60_000);
    const statistics = await Promise.all(clients.map((client) => client.sessionStatistics(id)));
    expect(statistics[0]).toMatchObject({ correct_chars: 150, total_chars: 150 });
    expect(statistics[1]).toEqual(statistics[0]);
    expect(statistics[2]).toEqual(statistics[0]);
  });

  test('a finished round is in the history of every server at once, and counts once', async () => {
    const id = await next().createSession();
    const before = (await next().history(id)).total_sessions;
    await playRound(next(), id);
    const histories = await Promise.all(clients.map((client) => client.history(id)));
    expect(histories.map(({ total_sessions }) => total_sessions)).toEqual([
      before + 1,
      before + 1,
      before + 1,
    ]);
    await Promise.all(clients.map((client) => client.save(id)));
    expect((await next().history(id)).total_sessions).toBe(before + 1);
  });

  test('a session deleted on one server is gone on all, and in no list', async () => {
    const id = await next().createSession();
    await next().startRound(id);
    await next().deleteSession(id);
    for (const client of clients) {
      expect((await client.call('GET', `/sessions/${id}/state`)).status).toBe(404);
      expect((await client.sessions()).map((session) => session.id)).not.toContain(id);
    }
  });

  test('while the store is away typing is 503, the badge is served, and numbered keys are sent again afterwards', async () => {
    const id = await next().createSession();
    const { words } = await next().startRound(id);
    const events = flawless(words);
    await next().input(id, events.slice(0, 40));
    await redis.kill();
    const statuses = await Promise.all(
      clients.map(async (client) => {
        const answer = await client.call<{ code: string }>('POST', `/sessions/${id}/input`, {
          events: events.slice(40, 41),
        });
        return [answer.status, answer.body.code];
      }),
    );
    expect(statuses).toEqual(clients.map(() => [503, 'STORE_UNAVAILABLE']));
    for (const { port } of servers) {
      expect((await send(port, { path: '/content/announcement.json' })).status).toBe(200);
      expect((await send(port, { path: '/health' })).status).toBe(200);
      const ready = await send(port, { path: '/health/ready' });
      expect([ready.status, JSON.parse(ready.body.toString())]).toEqual([
        503,
        { status: 'unready', reasons: [expect.stringMatching(/store/i)] },
      ]);
      const health = await send(port, { path: '/api/health' });
      expect(JSON.parse(health.body.toString())).toMatchObject({ status: 'healthy', store: 'away' });
    }
    await redis.start();
    await eventually(async () =>
      (await Promise.all(clients.map((client) => client.call('GET', '/sessions')))).every(
        ({ status }) => status === 200,
      ),
    );
    const { last_seq } = await next().state(id);
    for (let at = last_seq; at < events.length; at += 7) await next().input(id, events.slice(at, at + 7));
    await next().timing(id, 60_000);
    expect(await next().sessionStatistics(id)).toMatchObject({ correct_chars: 150, total_chars: 150 });
    const health = await send(servers[0]?.port as number, { path: '/api/health' });
    expect(JSON.parse(health.body.toString())).toMatchObject({ store: 'ok' });
  });

  test('keys that are sent again to another server because an answer was lost count once', async () => {
    const id = await next().createSession();
    const { words } = await next().startRound(id);
    for (const event of flawless(words)) {
      const answers = await Promise.all([next().input(id, [event]), next().input(id, [event])]);
      expect(answers[1]).toEqual(answers[0]);
    }
    await next().timing(id, 60_000);
    expect(await next().sessionStatistics(id)).toMatchObject({ total_chars: 150 });
  });
});
