import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../../src/server/settings/log.ts';
import { parseStoreUrl, type RedisAddress } from '../../../../src/server/settings/store-url.ts';
import { openSharedStores } from '../../../../src/server/stores/open-stores.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../../support/redis/redis-process.ts';

const day = 24 * 60 * 60 * 1000;

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
    const stores = await openSharedStores({
      ...{
        address: parseStoreUrl(redis.url) as RedisAddress,
        prefix: 'settings',
        dataDir: dir,
        contentDir: dir,
      },
      ...{ sessionTtl, maxSessions: 10, keepRounds: day, roundQuota: 1e6 },
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
  });
});
