import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseStoreUrl, type StoreAddress } from '../../../../../src/server/settings/store-url.ts';
import { StoreUnavailableError } from '../../../../../src/server/stores/ports.ts';
import {
  openConnection,
  type StoreConnection,
} from '../../../../../src/server/stores/redis/connection/connection.ts';
import {
  eventually,
  hasRedis,
  type RedisProcess,
  startRedis,
} from '../../../../support/redis/redis-process.ts';

/** A line to a store that can say something of its own. */
interface ChattyLine {
  readonly port: number;
  /** To every client that is connected. */
  say(bytes: string): void;
  close(): Promise<void>;
}

async function startChattyLine(target: number): Promise<ChattyLine> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const store = connect(target, '127.0.0.1');
    clients.add(client);
    client.pipe(store).pipe(client);
    for (const socket of [client, store]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clients.delete(client);
        client.destroy();
        store.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    say(bytes) {
      for (const client of clients) client.write(bytes);
    },
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(!hasRedis)('a store that sends unexpected replies', () => {
  let dir: string;
  let redis: RedisProcess;
  let line: ChattyLine;
  let store: StoreConnection;
  let losses = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'typebadge-store-'));
    redis = await startRedis(join(dir, 'one'));
    line = await startChattyLine(redis.port);
    store = await openConnection({
      address: parseStoreUrl(`redis://127.0.0.1:${line.port}`) as StoreAddress,
    });
    store.onLost(() => losses++);
    await isReady();
  });
  afterAll(async () => {
    await store.close();
    await line.close();
    await redis.kill();
    await rm(dir, { recursive: true, force: true });
  });

  const isReady = () => eventually(() => store.problem() === undefined);
  const set = (value: string) => store.run((client) => client.set('{x}', value));
  const get = () => store.run((client) => client.get('{x}'));

  // An exception that nobody catches fails this file, as it would end a server.
  test.each([
    ['a nil', '$-1\r\n'],
    ['a list that is nil', '*-1\r\n'],
    ['a number', ':1\r\n'],
    ['an error', '-ERR no\r\n'],
    ['many replies at once', '$-1\r\n:1\r\n+OK\r\n-OOM full\r\n$-1\r\n'.repeat(50)],
    ['a message of another protocol, without a name', '>1\r\n$-1\r\n'],
    ['a message of another protocol, without a channel', '>2\r\n$9\r\nsubscribe\r\n$-1\r\n'],
    ['a number, and then the beginning of a megabyte', ':1\r\n$1000000\r\nx'],
    ['rubbish', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('gets a new connection, on which every reply is right again: %s', async (_, bytes) => {
    const before = losses;
    line.say(bytes);
    await eventually(() => losses > before);
    await isReady();
    expect(await set(bytes)).toBe('OK');
    expect(await get()).toBe(bytes);
    expect(store.problem()).toBeUndefined();
  });

  test('gets a new connection even if commands wait: none of them hangs, and later ones get their own replies', async () => {
    for (const bytes of ['$-1\r\n', ':7\r\n', '*-1\r\n']) {
      const before = losses;
      const waiting = Array.from({ length: 20 }, (_, at) =>
        store.run((client) => client.set(`{x}${at}`, bytes)).catch((error: unknown) => error),
      );
      line.say(bytes);
      const outcomes = await Promise.all(waiting);
      expect(outcomes).toHaveLength(20);
      await eventually(() => losses > before);
      await eventually(async () => {
        const outcome = await set('after').catch((error: unknown) => error);
        if (outcome !== 'OK') expect(outcome).toBeInstanceOf(StoreUnavailableError);
        return outcome === 'OK';
      });
      expect(await get()).toBe('after');
    }
  });

  test('a store that goes silent after a fault gets a new connection too', async () => {
    for (const bytes of ['$1000000\r\nx', '*1000\r\n:1\r\n']) {
      const before = losses;
      line.say(bytes);
      await eventually(async () => {
        await set('silent').catch(() => undefined);
        return losses > before;
      });
      await isReady();
      expect(await set('heard')).toBe('OK');
    }
  });
});
