import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { parseStoreUrl } from '../../../src/server/settings/store-url.ts';
import { send } from '../../support/http-client.ts';
import { createPlayerClient } from '../../support/player-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
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
    const store = parseStoreUrl(redis.url);
    servers = await Promise.all([0, 1, 2].map(() => startTestServer({ store })));
    clients = servers.map(({ port }) => createTypingClient(port));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  test('a round started on one server is typed on all and finished on any', async () => {
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

  test('after DELETE /api/player the store has neither the player’s name nor an id or a text of its sessions and rounds', async () => {
    const server = await startTestServer({
      store: parseStoreUrl(redis.url),
      trustProxy: parseTrustProxy('127.0.0.1'),
      apiLimit: 'off',
    });
    const keys = ['anna'.repeat(8), 'bert'.repeat(8)] as const;
    const [anna, bert] = [keys[0], keys[1]].map((key) => createPlayerClient(() => server.port, { key }));
    if (anna === undefined || bert === undefined) throw new Error('there are two players');
    await bert.play(await bert.open());
    const ids = [await anna.open(), await anna.open()];
    // So many that what their lines say is kept, too.
    for (let round = 0; round < 25; round += 1) await anna.play(ids[round % 2] as string);
    const { rounds } = await anna.rounds();
    const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
    const traces = [hashOf(keys[0]), keys[0], ...ids, ...rounds.map(({ id }) => id)];
    const before = await everythingIn(redis);
    for (const trace of [hashOf(keys[0]), ...ids, rounds[0]?.id as string]) expect(before).toContain(trace);
    expect((await anna.ask('DELETE', '/player')).status).toBe(204);
    const after = await everythingIn(redis);
    expect(traces.filter((trace) => after.includes(trace))).toEqual([]);
    expect(after).toContain(hashOf(keys[1]));
    expect((await bert.rounds()).rounds).toHaveLength(1);
    await server.close();
  });

  describe('of which some have been upgraded to a later version', () => {
    // Records as the next version may write them to the store that both share.
    let server: TestServer;
    let client: TypingClient;
    beforeAll(() => {
      [server] = servers as [TestServer];
      [client] = clients as [TypingClient];
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
});

/** Every key of a store with everything in it. */
async function everythingIn(redis: RedisProcess): Promise<string> {
  const keys = (await redis.command('KEYS', '*')) as string[];
  const texts = await Promise.all(
    keys.map(async (key) => {
      const type = String(await redis.command('TYPE', key));
      const value = type === 'hash' ? await redis.command('HGETALL', key) : await redis.command('GET', key);
      return `${key} ${JSON.stringify(value)}`;
    }),
  );
  return texts.join('\n');
}
