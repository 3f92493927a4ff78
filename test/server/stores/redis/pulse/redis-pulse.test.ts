import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseStoreUrl, type RedisAddress } from '../../../../../src/server/settings/store-url.ts';
import { largestTally } from '../../../../../src/server/stores/pulse-tally.ts';
import { openConnection } from '../../../../../src/server/stores/redis/connection/connection.ts';
import {
  createPulseCounts,
  type PulseCounts,
} from '../../../../../src/server/stores/redis/pulse/pulse-counts.ts';
import { createRedisPulse } from '../../../../../src/server/stores/redis/pulse/redis-pulse.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { eventually, hasRedis, startRedis } from '../../../../support/redis/redis-process.ts';
import { click, describePulse } from '../../pulse-contract.ts';

const unexpected = (problem: Error) => {
  throw problem;
};

describeOnEveryStore('counts', (store) => {
  let number = 0;
  beforeEach(() => {
    number += 1;
  });
  describePulse('the counts of a store', async () =>
    createRedisPulse(createPulseCounts(await store.connect(), `pulse-${number}`), { onProblem: unexpected }),
  );

  test('a batch without a reply counts once, and so do later counts', async () => {
    const counts = createPulseCounts(await store.connect(), `lost-${number}`);
    const problems: Error[] = [];
    let lost = 0;
    const lossy: PulseCounts = {
      ...counts,
      async add(batch, added) {
        await counts.add(batch, added);
        lost += 1;
        if (lost < 4) throw new Error('the reply is lost');
      },
    };
    const pulse = createRedisPulse(lossy, { onProblem: (problem) => problems.push(problem) });
    for (let round = 0; round < 6; round += 1) {
      pulse.count(click);
      await pulse.save();
    }
    expect((await pulse.read('2026-11-22')).map(({ count }) => count)).toEqual([6]);
    // Said once, not at every try.
    expect(problems).toHaveLength(1);
  });
});

describe.skipIf(!hasRedis)('while the store is away', () => {
  test('counting goes on in bounded memory, and everything is added once it is back', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'typebadge-pulse-'));
    const redis = await startRedis(join(dir, 'redis'), ['--appendonly', 'yes', '--appendfsync', 'always']);
    const store = await openConnection({ address: parseStoreUrl(redis.url) as RedisAddress });
    await eventually(() => store.problem() === undefined);
    const pulse = createRedisPulse(createPulseCounts(store, 'away'), { onProblem: () => undefined });
    pulse.count(click);
    await pulse.save();
    for (const away of [() => redis.freeze(), () => redis.kill()]) {
      pulse.count(click);
      await away();
      await pulse.save();
      for (let at = 0; at < largestTally + 1_000; at += 1)
        pulse.count({ ...click, site: `attack-${at}.example` });
      await pulse.save();
      redis.thaw();
    }
    await redis.start();
    await eventually(() => store.problem() === undefined);
    const sum = async () => {
      await pulse.save();
      const counts = await pulse.read('2026-11-22');
      // Names that were counted while there was room, and "other".
      expect(counts.length).toBeLessThanOrEqual(largestTally + 2);
      return counts.reduce((total, { count }) => total + count, 0);
    };
    await eventually(async () => (await sum().catch(() => 0)) === 3 + 2 * (largestTally + 1_000));
    await store.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });
});
