import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type AddressRanges, parseAddressRanges } from '../../../src/kit/address.ts';
import { createListener, type Listener, type ListenerOptions } from '../../../src/server/http/listener.ts';
import { jsonReply } from '../../../src/server/http/reply.ts';
import type { Route } from '../../../src/server/http/router.ts';
import { limits } from '../../../src/server/settings/limits.ts';
import { sendRaw } from '../../support/http-client.ts';
import { toPipeline } from './pipeline-of-routes.ts';

let listener: Listener;
let port: number;
let running = 0;
let mostRunning = 0;
/** Requests for `/turn` and `/busy` in this turn of the loop, and the most in one. */
let [inTurn, mostInTurn] = [0, 0];
const answerInTurn = () => {
  if (inTurn === 0) setImmediate(() => (inTurn = 0));
  inTurn += 1;
  mostInTurn = Math.max(mostInTurn, inTurn);
  return jsonReply(200, { ok: true });
};
const gates: (() => void)[] = [];
const sockets: Socket[] = [];
const largeBody = 'x'.repeat(8 * 1024 * 1024);

/** The system takes it at once, and delivers it later. */
const mediumBody = 'x'.repeat(200_000);

const routes: readonly Route[] = [
  { method: 'GET', path: '/fast', handler: () => jsonReply(200, { ok: true }) },
  { method: 'GET', path: '/large', handler: () => ({ status: 200, headers: [], body: largeBody }) },
  { method: 'GET', path: '/medium', handler: () => ({ status: 200, headers: [], body: mediumBody }) },
  { method: 'GET', path: '/turn', handler: answerInTurn },
  {
    method: 'GET',
    path: '/busy',
    handler: () => {
      const start = performance.now();
      while (performance.now() - start < 6);
      return answerInTurn();
    },
  },
  {
    method: 'GET',
    path: '/late/:number',
    handler: async (_, { number }) => {
      mostRunning = Math.max(mostRunning, ++running);
      await wait(0);
      running -= 1;
      return jsonReply(200, { number: Number(number) });
    },
  },
  {
    method: 'GET',
    path: '/gated',
    handler: () => new Promise((resolve) => gates.push(() => resolve(jsonReply(200, { ok: true })))),
  },
];

async function listen(options: ListenerOptions = {}): Promise<void> {
  listener = createListener(toPipeline(routes), options);
  port = (await listener.listen(0, '127.0.0.1')).port;
}

afterEach(async () => {
  for (const open of gates.splice(0)) open();
  for (const socket of sockets.splice(0)) socket.destroy();
  running = 0;
  mostRunning = 0;
  mostInTurn = 0;
  await listener.close(0);
});

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string, ...more: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${more.map((line) => `${line}\r\n`).join('')}\r\n`;
function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
  });
}

test('five hundred requests in one write are answered one at a time, in order, and none is lost', async () => {
  // On a busy machine the first thousands take longer than the second half of a head may.
  await listen({ headersTimeout: 60_000, requestTimeout: 60_000 });
  const socket = await open();
  const answers = readAll(socket);
  const count = 500;
  const requests = Array.from({ length: count }, (_, number) => get(`/late/${number}`));
  socket.write(`${requests.join('')}${get('/fast', 'Connection: close')}`);
  const numbers = [...(await answers).matchAll(/\{"number":(\d+)\}/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
  expect(mostRunning).toBe(1);
});

test('of the requests that one connection sends at once, one is handled before others have their turn', async () => {
  await listen();
  const socket = await open();
  const answers = readAll(socket);
  socket.write(`${get('/turn').repeat(400)}${get('/turn', 'Connection: close')}`);
  expect((await answers).match(/\{"ok":true\}/g)).toHaveLength(401);
  expect(mostInTurn).toBe(1);
});

test('of requests that take long, only one that waited is handled before others have their turn', async () => {
  await listen();
  const socket = await open();
  const answers = readAll(socket);
  socket.write(`${get('/busy').repeat(20)}${get('/busy', 'Connection: close')}`);
  expect((await answers).match(/\{"ok":true\}/g)).toHaveLength(21);
  expect(mostInTurn).toBeLessThanOrEqual(2);
});

test('of requests that take long, few are handled before others have their turn, however many connections sent them', async () => {
  await listen();
  const socketsOfAll = await Promise.all(Array.from({ length: 12 }, () => open()));
  const answers = socketsOfAll.map(readAll);
  for (const socket of socketsOfAll)
    socket.write(`${get('/late/1')}${get('/busy')}${get('/busy', 'Connection: close')}`);
  for (const answer of await Promise.all(answers)) expect(answer.match(/\{"ok":true\}/g)).toHaveLength(2);
  expect(mostInTurn).toBeLessThanOrEqual(2);
});

test('requests that come while the last of those that waited is handled are handled after it, one at a time', async () => {
  await listen();
  const socket = await open();
  const answers = readAll(socket);
  const reachServer = () => sendRaw(port, [get('/fast', 'Connection: close')]);
  const finishOne = async () => {
    await expect.poll(() => gates.length).toBe(1);
    await reachServer();
    gates.pop()?.();
  };
  socket.write(get('/gated').repeat(2));
  await finishOne();
  await expect.poll(() => gates.length).toBe(1);
  socket.write(get('/gated').repeat(2) + get('/gated', 'Connection: close'));
  for (let left = 4; left > 0; left -= 1) await finishOne();
  expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(5);
});

test('a connection with as many waiting requests as it may have is read again once they are handled', async () => {
  await listen();
  const socket = await open();
  const answers = readAll(socket);
  socket.write(get('/gated') + get('/fast').repeat(limits.pipelinedRequests));
  await expect.poll(() => gates.length).toBe(1);
  socket.write(get('/fast', 'Connection: close'));
  gates.pop()?.();
  expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(limits.pipelinedRequests + 2);
});

test('while too many requests wait on all connections, those of one more are refused, and all others answered', async () => {
  await listen();
  const each = limits.pipelinedRequests - 1;
  const ask = async () => {
    const socket = await open();
    const answers = readAll(socket);
    socket.write(`${get('/gated').repeat(each)}${get('/gated', 'Connection: close')}`);
    return { answers };
  };
  for (let round = 0; round < 2; round += 1) {
    const full = [];
    for (let waiting = 0; waiting < limits.waitingRequests; waiting += each) full.push(await ask());
    await expect.poll(() => gates.length).toBe(full.length);
    const late = await open();
    let received = '';
    late.on('data', (chunk) => (received += chunk.toString('latin1')));
    late.write(get('/gated') + get('/fast'));
    await expect.poll(() => gates.length).toBe(full.length + 1);
    const opening = setInterval(() => gates.splice(0).forEach((open) => void open()), 1);
    await expect
      .poll(() => received)
      .toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 429 [\s\S]*\r\nRetry-After: 1\r\n/);
    for (const { answers } of full) expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(each + 1);
    clearInterval(opening);
    // Those of a connection that ends before their turn do not count any more.
    const gone = await Promise.all(Array.from({ length: 8 }, () => open()));
    for (const socket of gone) socket.write(get('/gated').repeat(each));
    await expect.poll(() => gates.length).toBe(gone.length);
    for (const socket of gone) socket.destroy();
    await wait(50);
    await expect.poll(() => gates.splice(0).map((open) => open()).length).toBe(0);
  }
});

test('a connection is not read from while its requests wait, and all of them are answered later', async () => {
  await listen();
  const socket = await open();
  const count = 9_000;
  const filler = `X-Filler: ${'a'.repeat(4_100)}`;
  let answers = 0;
  socket.on('data', (chunk) => {
    answers += chunk.toString('latin1').split('{"ok":true}').length - 1;
  });
  // While these are answered, node:http resumes the connection each time.
  socket.write(get('/fast').repeat(500) + get('/gated'));
  for (let sent = 0; sent < count; sent += 1_000) socket.write(get('/fast', filler).repeat(1_000));
  await expect.poll(() => gates.length).toBe(1);
  let before: number;
  do {
    before = socket.writableLength;
    await wait(200);
  } while (socket.writableLength < before);
  // The rest of these 38 MB fills the buffers of the network and stays with the client.
  expect(socket.writableLength).toBeGreaterThan(15_000_000);
  gates.pop()?.();
  socket.write(get('/fast', 'Connection: close'));
  await once(socket, 'close');
  // The network may cut an answer in two, and the count then misses it.
  expect(answers).toBeGreaterThan((count + 500) * 0.98);
});

test('requests after the last answer of a connection are not handled', async () => {
  await listen();
  const received = await sendRaw(port, [`GET /fast HTTP/1.1\r\n\r\n${get('/gated')}${get('/gated')}`]);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(gates).toHaveLength(0);
});

test('headers that arrive a byte at a time do not keep a connection open', async () => {
  await listen({ keepAliveTimeout: 400, headersTimeout: 400, requestTimeout: 800 });
  const socket = await open();
  const answers = readAll(socket);
  socket.write(`${get('/fast')}GET /fast HTTP/1.1\r\nX: `);
  const trickle = setInterval(() => socket.write('a'), 50);
  const text = await answers;
  clearInterval(trickle);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408']);
});

test('on closing, a slow client still gets its pending answers', async () => {
  await listen();
  const slow = await open();
  const text = readAll(slow);
  slow.pause();
  slow.write(get('/large'));
  // The network has taken what it can hold, and the rest waits in the server.
  await wait(300);
  const closed = listener.close(60_000);
  await wait(200);
  slow.resume();
  expect((await text).length).toBeGreaterThan(largeBody.length);
  await closed;
});

test('a request that ends early behind unread answers does not cut them, and gets its own', async () => {
  await listen();
  const slow = await open();
  const text = readAll(slow);
  slow.pause();
  slow.end(`${get('/large')}POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf`);
  await wait(300);
  slow.resume();
  const [first = '', second] = (await text).split('HTTP/1.1 400 ');
  expect(first.endsWith(largeBody)).toBe(true);
  expect(second).toContain('INVALID_REQUEST');
});

test.each([
  ['a refused', 'GET /fast HTTP/1.1\r\n\r\n', '400'],
  ['an HTTP/1.0', 'GET /fast HTTP/1.0\r\nHost: a\r\n\r\n', '200'],
  ['the client’s last', 'GET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '200'],
])('the answer to %s request does not cut the one before it, whatever follows', async (_, last, status) => {
  await listen();
  // Nobody reads the body of the third, so that some of it is left when the connection is closed.
  const sent = `${get('/medium')}${last}${get('/fast', 'Content-Length: 200000')}`;
  for (let time = 0; time < 10; time += 1) {
    const client = await open();
    const text = readAll(client);
    client.write(sent + 'x'.repeat(200_000));
    const answers = (await text).split('HTTP/1.1 ');
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['', '200', status]);
    expect(answers[1]?.endsWith(mediumBody)).toBe(true);
  }
});

test('the answer to a client that did not wait for 100 Continue does not cut the one before it', async () => {
  await listen();
  const client = await open();
  const text = readAll(client);
  client.pause();
  client.write(`${get('/medium')}${get('/fast', 'Expect: 100-continue', 'Content-Length: 2')}{}`);
  await wait(200);
  client.write(get('/fast').repeat(5_000));
  await wait(200);
  client.resume();
  const answers = (await text).split('HTTP/1.1 ');
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['', '200', '200']);
  expect(answers[1]?.endsWith(mediumBody)).toBe(true);
});

test('a tunnel requested behind unread answers does not prevent the server from closing', async () => {
  await listen();
  const slow = await open();
  slow.pause();
  slow.write(`${get('/large')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
  await wait(300);
  const ended = await Promise.race([listener.close(500).then(() => true), wait(60_000, false)]);
  expect(ended).toBe(true);
});

test('a full server refuses further connections, and serves those that it has', async () => {
  await listen({ connections: 2 });
  const [idle, busy] = [await open(), await open()];
  busy.write(get('/gated'));
  await expect.poll(() => gates.length).toBe(1);
  expect(await sendRaw(port, [get('/fast')])).toBe('');
  idle.write(get('/fast'));
  await once(idle, 'data');
  idle.destroy();
  await expect.poll(() => sendRaw(port, [get('/fast', 'Connection: close')])).toMatch(/^HTTP\/1\.1 200 /);
  expect(busy.destroyed).toBe(false);
});

test('a client at its limit is refused, and nobody else is', async () => {
  await listen({ maxConnectionsPerClient: 3 });
  const greedy: Socket[] = [];
  for (let count = 0; count < 30; count += 1) greedy.push((await open('127.0.0.2')).resume());
  await expect
    .poll(() => greedy.map(({ destroyed }) => destroyed))
    .toEqual([...Array(3).fill(false), ...Array(27).fill(true)]);
  const other = await open('127.0.0.3');
  other.write(get('/fast'));
  await once(other, 'data');
  greedy[0]?.destroy();
  await expect
    .poll(async () => {
      const again = (await open('127.0.0.2')).resume();
      await wait(20);
      return again.destroyed;
    })
    .toBe(false);
  const more = (await open('127.0.0.2')).resume();
  await expect.poll(() => more.destroyed).toBe(true);
});

const ownAddress = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.runIf(ownAddress)(
  'a trusted proxy may have any number of connections, another machine only so many',
  async () => {
    const count = limits.clientConnections + 10;
    for (const [trusted, served] of [
      [undefined, limits.clientConnections],
      [parseAddressRanges([String(ownAddress)]) as AddressRanges, count],
    ] as const) {
      await listen({ trusted });
      let answers = 0;
      const opened = await Promise.all(Array.from({ length: count }, () => open(ownAddress)));
      for (const socket of opened) {
        socket.once('data', () => (answers += 1));
        socket.write(get('/fast'));
      }
      await expect.poll(() => answers + opened.filter(({ destroyed }) => destroyed).length).toBe(count);
      expect(answers).toBe(served);
      await listener.close(0);
    }
  },
);

test('a client that does not read its answer is disconnected when it has been silent for long', async () => {
  await listen({ idleTimeout: 300 });
  const slow = await open();
  slow.pause();
  slow.write(get('/large'));
  await wait(1_500);
  slow.resume();
  expect((await readAll(slow)).length).toBeLessThan(largeBody.length);
});
