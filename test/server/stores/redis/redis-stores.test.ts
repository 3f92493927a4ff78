import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/server/settings/log.ts';
import { parseStoreUrl, type RedisAddress } from '../../../../src/server/settings/store-url.ts';
import { createFileRounds, journalPath } from '../../../../src/server/stores/files/rounds/file-rounds.ts';
import { localPlayer } from '../../../../src/server/stores/player.ts';
import { RoundsNotKeptError, type Stores } from '../../../../src/server/stores/ports.ts';
import { openRedisStores } from '../../../../src/server/stores/redis/redis-stores.ts';
import { toUnsavedRound } from '../../../../src/server/stores/unsaved-rounds.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../../support/redis/redis-process.ts';
import { newJournalRound, toRoundId } from '../journal-rounds.ts';

const log = createLog({ format: 'off' });
const day = 24 * 60 * 60 * 1000;
const strangerOf = (digit: string) => `key-${digit.repeat(64)}`;
const finished = '2026-01-05T09:00:00.000Z';
const roundOf = (number: number, player: string, completedAt = finished) => ({
  ...newJournalRound(toRoundId(number)),
  player,
  completedAt,
});

describe.skipIf(!hasRedis)('the bounds of rounds with a store', () => {
  let dir: string;
  let redis: RedisProcess;
  let dataDir: string;
  let open: Stores[] = [];
  let prefixes = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-bounds-'));
    redis = await startRedis(join(dir, 'redis'));
  });
  beforeEach(async () => {
    await Promise.all(open.map((stores) => stores.close()));
    open = [];
    dataDir = await mkdtemp(join(dir, 'data-'));
    prefixes++;
  });
  afterAll(async () => {
    await Promise.all(open.map((stores) => stores.close()));
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  let now = Date.parse(finished);
  const openStores = async (roundQuota = 1e9, isExposed = true) => {
    const stores = await openRedisStores({
      address: parseStoreUrl(redis.url) as RedisAddress,
      prefix: `bounds-${prefixes}`,
      dataDir,
      contentDir: dataDir,
      sessionTtl: day,
      maxSessions: 10,
      sessionMemory: 1e6,
      keepRounds: 100 * day,
      roundQuota,
      isExposed,
      log,
      clock: () => now,
    });
    open.push(stores);
    return stores;
  };
  const sizeOf = (player: string) =>
    stat(journalPath(dataDir, player)).then(
      ({ size }) => size,
      () => 0,
    );
  const memory = async () =>
    Number(/used_memory:(\d+)/.exec(String(await redis.command('INFO', 'memory')))?.[1]);

  test('all players together get no more of disk and store than the quota, whether or not they save', async () => {
    const { rounds } = await openStores(60_000);
    let refusals = 0;
    for (let number = 0; refusals < 10; number++) {
      const player = strangerOf('0123456789'[number % 10] as string);
      await rounds.note(player, [roundOf(number, player)]);
      await rounds.keep(player, [toUnsavedRound(roundOf(number, player))]).catch((error) => {
        expect(error).toBeInstanceOf(RoundsNotKeptError);
        refusals++;
      });
    }
    const before = await memory();
    for (let number = 1_000; number < 2_000; number++) {
      const player = strangerOf('abcdef'[number % 6] as string);
      await rounds.note(player, [roundOf(number, player)]);
    }
    expect((await memory()) - before).toBeLessThan(100_000);
    let bytes = 0;
    for (const digit of '0123456789') bytes += await sizeOf(strangerOf(digit));
    expect(bytes).toBeGreaterThan(15_000);
    expect(bytes).toBeLessThanOrEqual(60_000);
    expect((await rounds.history(strangerOf('0'))).rounds).toBeGreaterThan(1);
    await rounds.forget(strangerOf('0'));
    await rounds.keep(strangerOf('1'), [toUnsavedRound(roundOf(5_000, strangerOf('1')))]);
  });

  test('old rounds are removed from the copy on disk, both of players who play and of those who do not', async () => {
    now = Date.parse(finished);
    const { rounds } = await openStores();
    const [active, idle] = [strangerOf('1'), strangerOf('2')];
    for (const player of [active, idle, localPlayer])
      for (let number = 1; number <= 20; number++)
        await rounds.keep(player, [toUnsavedRound(roundOf(number, player))]);
    now += 150 * day;
    const late = new Date(now).toISOString();
    await rounds.keep(active, [toUnsavedRound(roundOf(21, active, late))]);
    expect((await createFileRounds({ dataDir, log }).history(active)).rounds).toBe(1);
    await openStores();
    await expect.poll(() => sizeOf(idle), { timeout: 120_000 }).toBe(0);
    expect((await createFileRounds({ dataDir, log }).history(localPlayer)).rounds).toBe(20);
  });

  test('the store removes the rounds of strangers who do not come back, but never those of the local player', async () => {
    now = Date.now();
    const { rounds } = await openStores();
    for (const player of [strangerOf('3'), localPlayer])
      await rounds.keep(player, [toUnsavedRound(roundOf(1, player, new Date(now).toISOString()))]);
    const lifeOf = async (player: string) => {
      const keys = (await redis.command('KEYS', `bounds-${prefixes}:rounds:{${player}}*`)) as string[];
      return Promise.all(keys.map(async (key) => Number(await redis.command('PTTL', key))));
    };
    const lives = await lifeOf(strangerOf('3'));
    expect(lives).toHaveLength(4);
    for (const life of lives) expect(Math.abs(life - 100 * day)).toBeLessThan(day);
    expect(await lifeOf(localPlayer)).toEqual([-1, -1, -1, -1]);
  });
});

describe.skipIf(!hasRedis)('servers of one store with different settings', () => {
  let dir: string;
  let redis: RedisProcess;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-settings-'));
    redis = await startRedis(join(dir, 'redis'));
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  /** What a server warns of at its start. */
  async function start(sessionTtl: number): Promise<readonly string[]> {
    const lines: string[] = [];
    const stores = await openRedisStores({
      ...{
        address: parseStoreUrl(redis.url) as RedisAddress,
        prefix: 'settings',
        dataDir: dir,
        contentDir: dir,
      },
      ...{ sessionTtl, maxSessions: 10, sessionMemory: 1e6, keepRounds: day, roundQuota: 1e6 },
      ...{ isExposed: true, clock: Date.now },
      log: createLog({ format: 'json', write: (line) => void lines.push(line) }),
    });
    await stores.close();
    return lines.filter((line) => line.includes('--session-ttl')).map((line) => JSON.parse(line).message);
  }

  test('a server names its --session-ttl and that of the server started before, if they differ', async () => {
    expect(await start(day)).toEqual([]);
    expect(await start(day)).toEqual([]);
    expect(await start(90_000)).toEqual([
      'the server that was last started on this store has a --session-ttl of 1d, and this one of 90s: set the same on all servers of a store, or sessions end early',
    ]);
    expect(await start(90_000)).toEqual([]);
    expect(await start(36 * 60 * 60 * 1000)).toEqual([
      expect.stringContaining('of 90s, and this one of 36h:'),
    ]);
  });

  test('something else at its place keeps no server from starting', async () => {
    await redis.command('DEL', 'settings:session-ttl');
    await redis.command('LPUSH', 'settings:session-ttl', 'x');
    expect(await start(day)).toEqual([]);
    expect(await start(90_000)).toHaveLength(1);
  });
});
