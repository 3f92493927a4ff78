import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/server/http/requests/context.ts';
import { createHeavyWork } from '../../../src/server/typing/handlers/heavy-work.ts';

const newContext = (client: string) =>
  ({ client, request: { socket: new EventEmitter() }, limiter: undefined, asked: 0 }) as unknown as Context;

test('neither short work nor large bodies wait for long work, however much there is', async () => {
  const heavy = createHeavyWork();
  for (let client = 0; client < 20; client += 1)
    void heavy.inTurn(newContext(`198.51.100.${client}`), () => new Promise(() => {}));
  const end = await heavy.begin(newContext('192.0.2.1'), 'short');
  end();
  // Nor do large bodies, whose places would be held as long.
  (await heavy.begin(newContext('198.51.100.1'), 'large'))();
});

test('four pieces of long work are done at once, and one of each client', async () => {
  const heavy = createHeavyWork();
  const begun: string[] = [];
  for (const client of ['a', 'a', 'b', 'c', 'd', 'e'])
    void heavy.inTurn(newContext(client), () => {
      begun.push(client);
      return new Promise(() => {});
    });
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a client that disconnects before its turn does not take it', async () => {
  const heavy = createHeavyWork();
  const ends = await Promise.all(
    ['a', 'b', 'c', 'd'].map((client) => heavy.begin(newContext(client), 'long')),
  );
  const leaving = newContext('e');
  const left = heavy.begin(leaving, 'long');
  leaving.request.socket.emit('close');
  await expect(left).rejects.toThrow('disconnected');
  const next = heavy.begin(newContext('f'), 'long');
  ends[0]?.();
  (await next)();
});
