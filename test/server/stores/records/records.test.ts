import { describe, expect, test } from 'vitest';
import { createMemoryRecords } from '../../../../src/server/stores/records/memory-records.ts';
import { createRedisRecords } from '../../../../src/server/stores/records/redis-records.ts';
import { describeOnEveryStore } from '../../../support/redis/every-store.ts';
import { recordsContract } from './records-contract.ts';

describeOnEveryStore('records in a store', (store) => {
  recordsContract(async () => createRedisRecords(await store.connect(), { prefix: 'test' }));

  test('a wrong number of the last line makes nobody read for ever', async () => {
    const connection = await store.connect();
    const records = createRedisRecords(connection, { prefix: 'wrong' });
    await records.commit('a/b', { push: ['one', 'two'] });
    await connection.run((redis) => redis.hset('wrong:record:a/b', 'l', '99999999999'));
    const lines = await records.lines('a/b', 1, 99_999_999_999);
    expect(lines.slice(0, 3)).toEqual(['one', 'two', '']);
    expect(lines.length).toBeLessThan(2_000);
    await records.commit('a/b', { push: ['three'], trim: 99_999_999_999 });
    for (const wrong of ['-1e15', 'inf', 'nan']) {
      await connection.run((redis) => redis.hset('wrong:record:a/b', 'f', wrong));
      await records.commit('a/b', { push: ['four'], trim: 99_999_999_999 });
    }
    expect((await records.read('a/b', [])).version).not.toBe('');
  });
});

describe('records in memory', () => {
  // There is no other server on the same data.
  const records = createMemoryRecords();
  recordsContract(async () => records);

  test('what has expired is not listed, and what is added meanwhile makes no list endless', async () => {
    let now = 1_000;
    const records = createMemoryRecords(() => now);
    await records.commit('a/short', { push: ['x'], ttl: 10 });
    await records.commit('a/long', { ttl: 11 });
    now += 10;
    const found: string[] = [];
    for await (const id of records.ids('a/')) {
      found.push(id);
      if (found.length < 9) await records.commit(`${id}er`, { ttl: 10 });
    }
    expect(found).toEqual(['a/long']);
    expect(await records.lines('a/short', 1, 9)).toEqual([]);
  });
});
