import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedLimits } from '../../../../src/server/stores/records/shared-limits.ts';
import { describeOnEveryStore, keysOf } from '../../../support/redis/every-store.ts';

describeOnEveryStore('shared buckets', (store) => {
  const open = async () => createSharedLimits(await store.connect(), 'test', 'secret');

  test('three servers together give one client one limit', async () => {
    // A rate so low that nothing comes back while the test runs.
    const bucket = { name: 'together 192.0.2.1', rate: 0.001, burst: 400 };
    const servers = await Promise.all([open(), open(), open()]);
    let allowed = 0;
    for (let part = 0; part < 20; part += 1) {
      const readings = await Promise.all(
        Array.from({ length: 60 }, (_, at) => servers[at % 3]?.take([bucket], 1)),
      );
      allowed += readings.filter((reading) => reading?.allowed).length;
    }
    expect(allowed).toBe(400);
    const other = { ...bucket, name: 'together 192.0.2.2' };
    expect((await servers[0]?.take([other], 1))?.allowed).toBe(true);
  });

  test('a cost is paid completely or not at all, and the wait says when it could be', async () => {
    const buckets = await open();
    const bucket = { name: 'cost', rate: 10, burst: 20 };
    expect(await buckets.take([bucket], 15)).toEqual({ allowed: true, left: 5, wait: 0 });
    const refused = await buckets.take([bucket], 15);
    expect(refused.allowed).toBe(false);
    // Ten tokens are missing, less what has come back since.
    expect(refused.wait).toBeGreaterThan(0);
    expect(refused.wait).toBeLessThanOrEqual(1_000);
    expect((await buckets.take([bucket], 5)).allowed).toBe(true);
  });

  test('either both buckets pay or none: neighbours share that of their block, and a client over its own limit takes nothing from it', async () => {
    const buckets = await open();
    const block = { name: '2001:db8::', rate: 0.001, burst: 15 };
    const client = (name: string) => [{ name: `${name} of the block`, rate: 0.001, burst: 10 }, block];
    const take = async (name: string) => (await buckets.take(client(name), 1)).allowed;
    const counted = async (name: string) => {
      const all = await Promise.all(Array.from({ length: 30 }, () => take(name)));
      return all.filter(Boolean).length;
    };
    expect(await counted('first')).toBe(10);
    // Twenty refusals of the first have cost the block nothing.
    expect(await counted('second')).toBe(5);
    expect(await counted('third')).toBe(0);
  });

  test('a bucket noted a day ahead, before the store’s clock was set back, counts as full', async () => {
    const buckets = await open();
    const connection = await store.connect();
    const before = await keysOf(connection, 'test:limit:*');
    const ahead = { name: 'ahead', rate: 1, burst: 10 };
    await buckets.take([ahead], 10);
    const [key = ''] = (await keysOf(connection, 'test:limit:*')).filter((name) => !before.includes(name));
    const day = 24 * 60 * 60 * 1000;
    await connection.run((client) => client.set(key, String(Date.now() + day), 'PX', day));
    expect((await buckets.take([ahead], 1)).allowed).toBe(true);
  });

  test('clients of every shape are keys, and no key shows a client', async () => {
    const buckets = await open();
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), async (name) => {
        expect((await buckets.take([{ name, rate: 1, burst: 1_000 }], 1)).allowed).toBe(true);
      }),
      { numRuns: 50 },
    );
    const connection = await store.connect();
    await buckets.take([{ name: 'api 203.0.113.77', rate: 1, burst: 1_000 }], 1);
    const keys = await keysOf(connection, 'test:limit:*');
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain('203.0.113.77');
  });
});
