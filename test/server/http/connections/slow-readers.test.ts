import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSlowReaders } from '../../../../src/server/http/connections/slow-readers.ts';

const options = { maxBytes: 1_000, grace: 5_000, leastSpeed: 100 };

function newReader(): { socket: Socket; response: ServerResponse } {
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return { socket, response };
}

function watchAll(sizes: readonly number[]) {
  const readers = createSlowReaders(options);
  const all = sizes.map(newReader);
  for (const [at, { response }] of all.entries())
    readers.watch(response, sizes[at] as number, 0, () => undefined);
  return { readers, all, cut: () => all.map(({ socket }) => socket.destroyed) };
}

test('beyond the bound, as many of those waiting for longest are cut as needed, and no more', () => {
  expect(watchAll([400, 300, 300]).cut()).toEqual([false, false, false]);
  expect(watchAll([400, 300, 301]).cut()).toEqual([true, false, false]);
  expect(watchAll([400, 300, 500, 100]).cut()).toEqual([true, false, false, false]);
  expect(watchAll([400, 300, 300, 500]).cut()).toEqual([true, true, false, false]);
});

test('an answer larger than the bound is served, alone', () => {
  expect(watchAll([400, 5_000]).cut()).toEqual([true, false]);
  expect(watchAll([5_000]).cut()).toEqual([false]);
});

test('an answer has its grace and the time that its bytes take, and is cut afterwards', () => {
  const { readers, cut } = watchAll([100, 300]);
  readers.cutOverdue(5_999);
  expect(cut()).toEqual([false, false]);
  readers.cutOverdue(6_000);
  expect(cut()).toEqual([true, false]);
  readers.cutOverdue(8_000);
  expect(cut()).toEqual([true, true]);
});

test('a connection that is gone no longer counts, and of one that waits again only the latest answer does', () => {
  const { readers, all, cut } = watchAll([600, 300]);
  all[0]?.response.emit('close');
  const again = all[1]?.response as ServerResponse;
  for (let times = 0; times < 5; times += 1) readers.watch(again, 700, 0, () => undefined);
  const other = newReader();
  readers.watch(other.response, 300, 0, () => undefined);
  expect([...cut(), other.socket.destroyed]).toEqual([false, false, false]);
});
