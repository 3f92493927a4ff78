import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl } from '../../../../src/server/settings/store-url.ts';
import { StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';
import {
  openConnection,
  type StoreConnection,
} from '../../../../src/server/stores/records/store-connection.ts';
import { eventually, hasRedis, type RedisProcess, startRedis } from '../../../support/redis/redis-process.ts';
import { startSentinels } from '../../../support/redis/redis-sentinel.ts';
import { startTcpProxy } from '../../../support/tcp-proxy.ts';

const open = (url: string) => openConnection(parseStoreUrl(url));
const isReady = (store: StoreConnection) => eventually(() => store.problem() === undefined);
const ping = (store: StoreConnection) => store.run((client) => client.set('{x}', '1'));

/** Keeps the event loop busy, as expensive work for somebody else does. */
const holdLoop = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe.skipIf(!hasRedis)('a connection to a store', () => {
  let dir: string;
  let redis: RedisProcess;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
    redis = await startRedis(join(dir, 'one'), ['--unixsocket', join(dir, 's.sock')]);
  });
  afterAll(async () => {
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  test('answers over TCP and over a socket', async () => {
    for (const url of [redis.url, `unix://${join(dir, 's.sock')}`]) {
      const store = await open(url);
      await isReady(store);
      expect(await ping(store)).toBe('OK');
      await store.close();
    }
  });

  test('that was closed on purpose is not reported as lost', async () => {
    const changes: unknown[] = [];
    const address = parseStoreUrl(redis.url);
    const store = await openConnection(address, (problem) => changes.push(problem));
    await isReady(store);
    const before = changes.length;
    await store.close();
    await eventually(async () => !String(await redis.command('CLIENT', 'LIST')).includes('name=typebadge'));
    await sleep(50);
    expect(changes.slice(before)).toEqual([]);
  });

  test.each(['hold', 'cut'] as const)(
    'a connection in state %s fails every command and recovers',
    async (fault) => {
      const proxy = await startTcpProxy(redis.port);
      const store = await open(`redis://127.0.0.1:${proxy.port}`);
      await isReady(store);
      proxy[fault]();
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => ping(store)));
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      // What comes later does not wait for the time-out again: nothing piles up.
      await eventually(() => store.problem() !== undefined);
      await expect(ping(store)).rejects.toBeInstanceOf(StoreUnavailableError);
      proxy.mend();
      await isReady(store);
      expect(await ping(store)).toBe('OK');
      await store.close();
      await proxy.close();
    },
  );

  test('an answer that waits while this process is busy does not count as silence, and causes no reconnection', async () => {
    const changes: unknown[] = [];
    const address = parseStoreUrl(redis.url);
    const store = await openConnection(address, (problem) => changes.push(problem));
    await isReady(store);
    // Busy at once, and busy at the end of the time that a command has.
    for (const pause of [0, 450]) {
      const commands = Array.from({ length: 20 }, () => ping(store));
      await sleep(pause);
      const large = store.run((client) => client.set('{x}large', 'x'.repeat(4 * 1024 * 1024)));
      holdLoop(700);
      expect(await Promise.all([...commands, large])).toEqual(Array(21).fill('OK'));
      const reading = store.run((client) => client.strlen('{x}large'));
      const copy = store.run((client) => client.get('{x}large'));
      holdLoop(700);
      expect([await reading, (await copy)?.length]).toEqual([4 * 1024 * 1024, 4 * 1024 * 1024]);
    }
    expect(changes).toEqual([undefined]);
    await store.close();
  });

  test('a process that is busy most of the time still finds that the store is silent', async () => {
    const store = await open(redis.url);
    await isReady(store);
    redis.freeze();
    const busy = setInterval(() => holdLoop(250), 260);
    await expect(ping(store)).rejects.toThrow('does not answer in time');
    clearInterval(busy);
    expect(store.problem()).toBeInstanceOf(StoreUnavailableError);
    redis.thaw();
    await isReady(store);
    await store.close();
  });

  test('a wrong password and a full store are explained in words', async () => {
    const guarded = await startRedis(join(dir, 'guarded'));
    await guarded.command('CONFIG', 'SET', 'maxmemory', '1');
    const full = await open(guarded.url);
    await isReady(full);
    await expect(ping(full)).rejects.toThrow('The store is full');
    await full.close();
    await guarded.command('CONFIG', 'SET', 'requirepass', 'right');
    const store = await open(`redis://:wrong@127.0.0.1:${guarded.port}`);
    await eventually(() => /password/.test(store.problem()?.message ?? ''));
    await store.close();
    await guarded.kill();
  });

  test('the primary named by the sentinels is used, even after a failover', async () => {
    const group = await startSentinels(join(dir, 'sentinel'));
    const store = await open(group.url);
    await isReady(store);
    expect(await ping(store)).toBe('OK');
    await (await group.primary()).kill();
    await eventually(async () => (await ping(store)) === 'OK');
    await store.close();
    await group.kill();
  });
});
