import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster, Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionList } from '../../../../src/contract/answer-types.ts';
import type { RoundList } from '../../../../src/contract/statistics-types.ts';
import { parseStoreUrl, type RedisAddress } from '../../../../src/server/settings/store-url.ts';
import type { StoreConnection } from '../../../../src/server/stores/redis/connection/connection.ts';
import { asideOf } from '../../../../src/server/stores/redis/connection/damaged-keys.ts';
import { send } from '../../../support/http-client.ts';
import { describeOnEveryStore, keysOf } from '../../../support/redis/every-store.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../../support/redis/redis-process.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';
import { createTypingClient, playRound, type TypingClient } from '../../../support/typing-client.ts';

type Damage = (client: Redis | Cluster, key: string) => Promise<unknown>;
const toText: Damage = (client, key) => client.set(key, 'rubbish');
const toList: Damage = async (client, key) => {
  await client.del(key);
  await client.rpush(key, 'rubbish');
};

/** The lines that a server logs with `--log json`, in this process. */
function captureLog() {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const lines = () =>
    written.mock.calls.flatMap(([text]) => {
      try {
        return [JSON.parse(String(text)) as Record<string, unknown>];
      } catch {
        return [];
      }
    });
  return {
    /** The keys that were named, as often as they were. */
    keys: () => lines().flatMap(({ key, problem }) => (problem === undefined ? [] : [String(key)])),
    lines,
  };
}

describeOnEveryStore('data of a store that another program has damaged', (engine) => {
  let number = 0;
  let prefix = '';
  let raw: StoreConnection;
  let server: TestServer;
  let client: TypingClient;
  let log: ReturnType<typeof captureLog>;
  beforeEach(async () => {
    number += 1;
    prefix = `damaged-${number}`;
    raw = await engine.connect();
    log = captureLog();
    server = await startTestServer({
      store: parseStoreUrl(engine.url()) as RedisAddress,
      storePrefix: prefix,
      log: 'json',
    });
    client = createTypingClient(server.port);
  });
  afterEach(async () => {
    await server.close();
    vi.restoreAllMocks();
  });

  const sessionKey = (id: string) => `${prefix}:session:{${id}}`;
  const listed = async () =>
    (await client.call<SessionList>('GET', '/sessions')).body.sessions.map(({ id }) => id);
  const roundIds = async () =>
    (await client.call<RoundList>('GET', '/rounds?limit=50')).body.rounds.map(({ id }) => id);
  const forget = async () => (await client.call('DELETE', '/player')).status;
  const isReady = async () => (await send(server.port, { path: '/health/ready' })).status === 200;
  const finishRound = async () => {
    const id = await client.createSession();
    await playRound(client, id);
    expect(await client.save(id)).toEqual({ success: true });
    return id;
  };

  const ofSession: readonly (readonly [string, Damage])[] = [
    ['is a text', toText],
    ['is a list', toList],
    ['has a header that is not JSON', (redis, key) => redis.hset(key, 'h', 'rubbish')],
    ['has a header of another shape', (redis, key) => redis.hset(key, 'h', '{"v":2,"session":[]}')],
    [
      'has a truncated header',
      async (redis, key) => redis.hset(key, 'h', String(await redis.hget(key, 'h')).slice(0, 40)),
    ],
    ['has no header', (redis, key) => redis.hdel(key, 'h')],
    ['was last used at no time', (redis, key) => redis.hset(key, 'u', 'yesterday')],
    ['has rubbish for inputs', (redis, key) => redis.set(`${key}:inputs`, 'rubbish')],
    [
      'is a copy of another session',
      async (redis, key) =>
        redis.hset(
          key,
          'h',
          `${await redis.hget(key, 'h')}`.replace(/"id":"[^"]*"/, `"id":"${'0'.repeat(32)}"`),
        ),
    ],
  ];

  test.each(ofSession)(
    'a session that %s is left out and logged once, and its player can continue and be deleted',
    async (_, damage) => {
      const [damaged, sound] = [await client.createSession(), await client.createSession()];
      for (const id of [damaged, sound]) {
        await client.startRound(id);
        await client.input(id, [{ type: 'backspace', seq: 1 }]);
      }
      // Another server, which has no copy of the session.
      const other = await startTestServer({
        store: parseStoreUrl(engine.url()) as RedisAddress,
        storePrefix: prefix,
        log: 'json',
      });
      try {
        client = createTypingClient(other.port);
        await raw.run((redis) => damage(redis, sessionKey(damaged)));
        for (const path of ['state', 'stats/session', 'state'])
          expect((await client.call('GET', `/sessions/${damaged}/${path}`)).status).toBe(404);
        expect((await client.call('POST', `/sessions/${damaged}/save`, {})).status).toBe(404);
        expect(await listed()).toEqual([sound]);
        expect(await client.state(sound)).toMatchObject({ last_seq: 1 });
        await finishRound();
        const named = log.keys();
        expect(named).toHaveLength(1);
        expect(named[0]).toContain(damaged);
        expect([await forget(), await forget()]).toEqual([204, 204]);
        expect(await listed()).toEqual([]);
        expect(await keysOf(raw, `${prefix}:session:*`)).toEqual([]);
      } finally {
        await other.close();
      }
    },
  );

  test.each<[string, Damage]>([
    ['a list', toList],
    ['endless', (redis, key) => redis.setrange(key, 17 * 1024 * 1024, 'x')],
  ])('a session whose inputs are %s continues without them', async (_, damage) => {
    const id = await client.createSession();
    await client.startRound(id);
    await client.input(id, [{ type: 'backspace', seq: 1 }]);
    const key = `${sessionKey(id)}:inputs`;
    await raw.run((redis) => damage(redis, key));
    expect(await client.state(id)).toMatchObject({ last_seq: 0 });
    await client.input(id, [{ type: 'backspace', seq: 1 }]);
    expect(await client.state(id)).toMatchObject({ last_seq: 1 });
    expect(log.keys()).toEqual([key]);
    expect(await forget()).toBe(204);
    expect(await keysOf(raw, `${prefix}:session:*`)).toEqual([]);
  });

  test('a list with damaged sessions works, and its player can be deleted without using them', async () => {
    const ids = [await client.createSession(), await client.createSession(), await client.createSession()];
    await raw.run((redis) => toText(redis, sessionKey(ids[0] as string)));
    await raw.run((redis) => redis.hset(sessionKey(ids[1] as string), 'h', 'rubbish'));
    for (let times = 0; times < 2; times += 1) expect((await listed()).sort()).toEqual(ids.slice(1).sort());
    expect(log.keys()).toEqual([sessionKey(ids[0] as string)]);
    expect(await forget()).toBe(204);
    expect(await keysOf(raw, `${prefix}:session:*`)).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  const ofRounds: readonly (readonly [name: string, part: string, damage: Damage, left: number])[] = [
    ['rounds', '', toText, 0],
    ['rounds, as a list,', '', toList, 0],
    ['list of their ids', ':entries', toText, 2],
    ['sum of bytes', ':bytes', toList, 2],
    ['sum of bytes, as a word,', ':bytes', toText, 2],
    ['mark of changes', ':epoch', toList, 2],
    ['mark of deletions', ':mark', toList, 2],
  ];

  test.each(ofRounds)(
    'with damage at the %s, a player can continue, has every round once, and can be deleted',
    async (_, part, damage, left) => {
      for (let round = 0; round < 2; round += 1) await finishRound();
      const key = `${prefix}:rounds:{local}${part}`;
      await raw.run((redis) => damage(redis, key));
      expect(await roundIds()).toHaveLength(left);
      const id = await finishRound();
      const ids = await roundIds();
      expect(ids).toHaveLength(left + 1);
      expect(new Set(ids).size).toBe(left + 1);
      expect(await client.save(id)).toEqual({ success: true });
      expect(await roundIds()).toEqual(ids);
      // A text is what belongs at both marks.
      expect(log.keys()).toEqual([key]);
      expect(await isReady()).toBe(true);
      expect([await forget(), await forget()]).toEqual([204, 204]);
      expect(await roundIds()).toEqual([]);
      expect(await keysOf(raw, `${prefix}:rounds:*`)).toEqual([`${prefix}:rounds:{local}:mark`]);
    },
  );

  test('entries that are not rounds are left out and logged once', async () => {
    await finishRound();
    const key = `${prefix}:rounds:{local}`;
    await raw.run(async (redis) => {
      await redis.xadd(key, '*', 'something', 'else');
      await redis.xadd(key, '*', 'id', 'truncated', 'line', '{"v":1,"id":');
      await redis.xadd(key, '*', 'id', 'of-later', 'line', '{"v":99}');
    });
    const id = await finishRound();
    expect(await roundIds()).toHaveLength(2);
    expect((await client.history(id)).total_sessions + (await client.history(id)).rounds_not_counted).toBe(2);
    const said = log.lines().filter(({ message }) => String(message).includes('cannot be read'));
    expect(said).toMatchObject([{ player: 'local', level: 'error' }]);
    expect([await forget(), await roundIds()]).toEqual([204, []]);
  });

  const lists = [
    'sessions:{player:local}',
    'sessions:{all}',
    'sessions:{all}:bytes',
    'players:{all}',
    'players:{all}:bytes',
    'forgotten',
    'marked',
  ];

  test.each(lists)('with damage at %s everything works, and the key is logged once', async (name) => {
    const before = await finishRound();
    const key = `${prefix}:${name}`;
    await raw.run((redis) => toText(redis, key));
    const id = await finishRound();
    expect(await listed()).toContain(id);
    expect((await send(server.port, { path: '/api/health' })).status).toBe(200);
    expect((await client.call('DELETE', `/sessions/${before}`)).status).toBe(204);
    expect([await forget(), await forget()]).toEqual([204, 204]);
    expect(await roundIds()).toEqual([]);
    expect(log.keys()).toEqual([key]);
    expect(await isReady()).toBe(true);
    const left = await raw.run((redis) => redis.get(asideOf(key)).catch(() => null));
    expect(name.includes('player:') ? null : 'rubbish').toBe(left);
  });

  test('with damage at the list of sessions, a player can be deleted with all sessions, and nobody else is', async () => {
    const key = 'k'.repeat(22);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = { method: 'POST', path: '/api/sessions', headers, body: '{}' };
    const own = JSON.parse((await send(server.port, asked)).body.toString()).session_id;
    const local = await client.createSession();
    const [list = ''] = await keysOf(raw, `${prefix}:sessions:{player:key-*}`);
    await raw.run((redis) => toText(redis, list));
    for (let times = 0; times < 2; times += 1) {
      const answer = await send(server.port, { method: 'DELETE', path: '/api/player', headers });
      expect(answer.status).toBe(204);
    }
    expect(await keysOf(raw, `${prefix}:session:*`)).toEqual([sessionKey(local)]);
    expect((await send(server.port, { path: `/api/sessions/${own}/state`, headers })).status).toBe(404);
    expect(await listed()).toEqual([local]);
  });

  test('a size that is not a number is set aside, and sessions are counted again', async () => {
    await finishRound();
    const key = `${prefix}:sessions:{all}:bytes`;
    await raw.run((redis) => redis.hset(key, 'total', 'many'));
    await finishRound();
    expect(log.keys()).toEqual([key]);
    const total = Number(await raw.run((redis) => redis.hget(key, 'total')));
    expect(total).toBeGreaterThan(1_000);
  });

  test('damaged announcements are served from memory, reported by /health/ready, and restored by a restart', async () => {
    const key = `{${prefix}:documents}`;
    await raw.run((redis) => toText(redis, key));
    const reasons = async () =>
      JSON.parse((await send(server.port, { path: '/health/ready' })).body.toString()).reasons;
    await expect.poll(reasons, { timeout: 120_000 }).toEqual(['the store has lost its announcements']);
    expect((await send(server.port, { path: '/content/announcement.json' })).status).toBe(200);
    expect(log.keys()).toEqual([key]);
    const { dataDir } = server;
    const again = await startTestServer({
      store: parseStoreUrl(engine.url()) as RedisAddress,
      storePrefix: prefix,
      data: dataDir,
      log: 'json',
    });
    await expect.poll(isReady, { timeout: 120_000 }).toBe(true);
    await again.close();
  });

  test('with damage at the counters, the badge goes on counting', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const key = `{${prefix}:pulse}:months:${month}`;
    await raw.run((redis) => toText(redis, key));
    await send(server.port, { path: '/pulse?event=click&id=2026-001' });
    await expect.poll(() => log.keys(), { timeout: 120_000 }).toEqual([key]);
    await expect.poll(() => raw.run((redis) => redis.hlen(key)), { timeout: 120_000 }).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasRedis)('damaged data that cannot be set aside', () => {
  let dir: string;
  let redis: RedisProcess;
  let server: TestServer | undefined;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-damage-'));
    redis = await startRedis(join(dir, 'redis'));
  });
  afterEach(async () => {
    await server?.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
    vi.restoreAllMocks();
  });

  test('causes a 503, which /health/ready explains without the key and the log with it', async () => {
    await redis.command('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '&*', '+@all', '-rename');
    const log = captureLog();
    const url = redis.url.replace('redis://', 'redis://limited:secret@');
    server = await startTestServer({ store: parseStoreUrl(url) as RedisAddress, log: 'json' });
    const { port } = server;
    const client = createTypingClient(port);
    const id = await client.createSession();
    await redis.command('SET', 'typebadge:rounds:{local}', 'rubbish');
    for (let times = 0; times < 2; times += 1) {
      const refused = await client.call<{ code: string }>('GET', '/rounds');
      expect([refused.status, refused.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    }
    expect(log.keys()).toEqual(['typebadge:rounds:{local}']);
    const ready = await send(port, { path: '/health/ready' });
    const { reasons } = JSON.parse(ready.body.toString());
    expect([ready.status, reasons]).toEqual([503, [expect.stringContaining('cannot be set aside')]]);
    expect(reasons[0]).not.toContain('local}');
    await client.startRound(id).catch(() => undefined);
    expect((await client.call('GET', '/sessions')).status).toBe(200);
    await redis.command('DEL', 'typebadge:rounds:{local}');
    expect((await client.call('GET', '/rounds')).status).toBe(200);
    expect((await client.call('DELETE', '/player')).status).toBe(204);
  });
});
