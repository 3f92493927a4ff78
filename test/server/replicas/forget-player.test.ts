import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPlayerClient } from '../../support/player-client.ts';
import { hasRedis, type RedisProcess, startRedis } from '../../support/redis/redis-process.ts';
import { startServeProcess } from '../../support/typebadge-process.ts';

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

describe.skipIf(!hasRedis)('DELETE /api/player on a shared store', () => {
  test('leaves neither the player’s name nor an id or a text of its sessions and rounds', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'typebadge-forget-'));
    const redis = await startRedis(join(dir, 'redis'));
    const server = await startServeProcess(
      ['--data', join(dir, 'data'), '--store', redis.url, '--trust-proxy', '127.0.0.1', '--api-limit', 'off'],
      { cwd: dir },
    );
    try {
      const port = () => server.port;
      const [annaKey, bertKey] = ['anna'.repeat(8), 'bert'.repeat(8)];
      const [anna, bert] = [annaKey, bertKey].map((key) => createPlayerClient(port, { key }));
      if (anna === undefined || bert === undefined) throw new Error('there are two players');
      const bertSession = await bert.open();
      await bert.play(bertSession);
      const ids = [await anna.open(), await anna.open()];
      // So many that the history and the index of the rounds are kept, too.
      for (let round = 0; round < 25; round += 1) await anna.play(ids[round % 2] as string);
      const { rounds } = await anna.rounds();
      const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
      const traces = [hashOf(annaKey), annaKey, ...ids, ...rounds.map(({ id }) => id)];
      const before = await everythingIn(redis);
      for (const trace of [hashOf(annaKey), ...ids, rounds[0]?.id as string]) expect(before).toContain(trace);
      expect((await anna.ask('DELETE', '/player')).status).toBe(204);
      const after = await everythingIn(redis);
      expect(traces.filter((trace) => after.includes(trace))).toEqual([]);
      expect(after).toContain(hashOf(bertKey));
      expect((await bert.rounds()).rounds).toHaveLength(1);
    } finally {
      server.child.kill('SIGTERM');
      await server.finished;
      await redis.kill();
      await rm(dir, { recursive: true, force: true });
    }
  });
});
