import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedBuckets } from '../../../../src/server/stores/redis/shared-buckets.ts';
import { describeOnEveryStore } from '../../../support/redis/every-store.ts';

describeOnEveryStore('shared buckets', (store) => {
  const open = async (rate: number, burst: number, name: string) =>
    createSharedBuckets(await store.connect(), 'test', { name, rate, burst });

  test('three servers together give one client one limit', async () => {
    // A rate so low that nothing comes back while the test runs.
    const servers = await Promise.all([0, 1, 2].map(() => open(0.001, 400, 'together')));
    const meters = await Promise.all(
      Array.from({ length: 1_200 }, (_, at) => servers[at % 3]?.take('192.0.2.1', 1)),
    );
    expect(meters.filter((meter) => meter?.allowed).length).toBe(400);
    expect((await servers[0]?.take('192.0.2.2', 1))?.allowed).toBe(true);
  });

  test('a cost is paid in whole or not at all, and the wait tells when it could be', async () => {
    const buckets = await open(10, 20, 'cost');
    expect(await buckets.take('a', 15)).toEqual({ allowed: true, left: 5, wait: 0 });
    const refused = await buckets.take('a', 15);
    expect(refused.allowed).toBe(false);
    // Ten tokens are missing, less what has come back since.
    expect(refused.wait).toBeGreaterThan(0);
    expect(refused.wait).toBeLessThanOrEqual(1_000);
    expect((await buckets.take('a', 5)).allowed).toBe(true);
  });

  test('clients of every shape are keys', async () => {
    const buckets = await open(1, 1_000, 'shapes');
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }), async (client) => {
        expect((await buckets.take(client, 1)).allowed).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
