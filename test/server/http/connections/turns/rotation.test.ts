import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConnectionCap } from '../../../../../src/server/http/connections/connection-cap.ts';
import { createListener, type Listener } from '../../../../../src/server/http/connections/listener.ts';
import { toJsonReply } from '../../../../../src/server/http/replies/reply.ts';
import { toPipeline } from '../pipeline-of-routes.ts';

const inBundle = 700;
const ok = '{"ok":true}';
let listener: Listener;
let port: number;
/** Requests that node:http has parsed. */
let parsed = 0;
const countParsed = () => {
  parsed += 1;
};
const sockets: Socket[] = [];

beforeEach(async () => {
  const pipeline = toPipeline([
    { method: 'GET', path: '/', handler: () => toJsonReply(200, { ok: true }) },
    { method: 'GET', path: '/never', handler: () => new Promise(() => {}) },
  ]);
  listener = createListener(pipeline, { capOf: createConnectionCap({ limit: 200, trusted: undefined }) });
  port = (await listener.listen(0, '127.0.0.1')).port;
  parsed = 0;
  subscribe('http.server.request.start', countParsed);
});

afterEach(async () => {
  unsubscribe('http.server.request.start', countParsed);
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close(0);
});

interface Client {
  readonly socket: Socket;
  answers(): number;
  /** Resolves when so many answers have come; rejects when the connection ends before. */
  got(count: number): Promise<void>;
}

/** Each address of 127.0.0.0/8 is a client of its own. */
async function connectFrom(localAddress: string): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  let count = 0;
  let rest = '';
  socket.on('data', (bytes) => {
    const parts = (rest + bytes.toString('latin1')).split(ok);
    rest = parts.at(-1) ?? '';
    count += parts.length - 1;
    socket.emit('answers');
  });
  await once(socket, 'connect');
  // Each wait for an answer listens to the end of the connection.
  socket.setMaxListeners(0);
  return {
    socket,
    answers: () => count,
    async got(wanted) {
      const isClosed = once(socket, 'close').then(() => {
        if (count < wanted) throw new Error(`closed after ${count} of ${wanted} answers`);
      });
      while (count < wanted) await Promise.race([once(socket, 'answers'), isClosed]);
    },
  };
}

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const bundle = request.repeat(inBundle);

/** Connections that the server has accepted: each has had one answer. */
async function connectAndAsk(count: number, addresses: readonly string[]): Promise<Client[]> {
  const clients = (await Promise.all(addresses.map((address) => connectMany(count, address)))).flat();
  for (const { socket } of clients) socket.write(request);
  for (const { got } of clients) await got(1);
  parsed = 0;
  return clients;
}

const addressesFrom2 = (count: number) => Array.from({ length: count }, (_, index) => `127.0.0.${index + 2}`);

function connectMany(count: number, localAddress: string): Promise<Client[]> {
  return Promise.all(Array.from({ length: count }, () => connectFrom(localAddress)));
}

test('of the bundles that one client sends on many connections, only a few are parsed before another client is answered', async () => {
  const attackers = await connectMany(10, '127.0.0.2');
  const other = await connectFrom('127.0.0.3');
  for (const { socket } of attackers) socket.write(bundle);
  other.socket.write(request);
  await other.got(1);
  expect(parsed).toBeLessThanOrEqual(4 * inBundle + 1);
});

/** Opens a connection from each address, which brings a bundle, and returns what was parsed until somebody else was answered. */
async function parsedBeforeAnother(addresses: readonly string[]): Promise<number> {
  parsed = 0;
  for (const localAddress of addresses) {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.write(bundle);
  }
  const other = await connectFrom('127.0.0.99');
  other.socket.write(request);
  await other.got(1);
  return parsed;
}

test('connections that each bring a bundle wait for the connections of others', async () => {
  const parsedBefore = await parsedBeforeAnother(Array.from({ length: 10 }, () => '127.0.0.2'));
  expect(parsedBefore).toBeLessThanOrEqual(4 * inBundle + 1);
});

test('clients that each brought a bundle before take turns with new ones, and others are answered in between', async () => {
  const addresses = addressesFrom2(20);
  for (const address of addresses) {
    const { socket, got } = await connectFrom(address);
    socket.write(bundle);
    await got(inBundle);
    socket.destroy();
  }
  expect(await parsedBeforeAnother(addresses)).toBeLessThanOrEqual(4 * inBundle + 1);
});

test('of short bundles on hundreds of connections, only a part is parsed before another client is answered', async () => {
  const attackers = await connectAndAsk(100, addressesFrom2(5));
  for (const { socket } of attackers) socket.write(request.repeat(16));
  const other = await connectFrom('127.0.0.99');
  other.socket.write(request);
  await other.got(1);
  expect(parsed).toBeLessThanOrEqual(4_000);
});

test('of bytes on hundreds of connections that are no requests, only a part is refused before another client is answered', async () => {
  const attackers = await connectAndAsk(100, addressesFrom2(5));
  let refused = 0;
  for (const { socket } of attackers) {
    socket.on('data', () => {
      refused += 1;
    });
    socket.write('nothing\r\n\r\n');
  }
  const other = await connectFrom('127.0.0.99');
  other.socket.write(request);
  await other.got(1);
  expect(refused).toBeLessThanOrEqual(400);
  while (refused < attackers.length) await new Promise((done) => setTimeout(done, 10));
});

test('a client waits for a few of the connections that others have, not for all that came before', async () => {
  const attackers = await connectAndAsk(100, addressesFrom2(5));
  const [other] = await connectAndAsk(1, ['127.0.0.99']);
  const long = request.replace('\r\n\r\n', `\r\n${'a: b\r\n'.repeat(90)}\r\n`);
  for (const { socket } of attackers) socket.write(long);
  other?.socket.write(request);
  await other?.got(2);
  expect(parsed).toBeLessThanOrEqual(100);
  for (const { got } of attackers) await got(2);
});

test('a client of many quiet requests does not wait for all clients that came a moment ago', async () => {
  const attackers = await connectAndAsk(1, addressesFrom2(60));
  const [other] = await connectAndAsk(1, ['127.0.0.99']);
  for (let asked = 2; asked <= 40; asked += 1) {
    other?.socket.write(request);
    await other?.got(asked);
  }
  parsed = 0;
  for (const { socket } of attackers) socket.write(bundle);
  other?.socket.write(request);
  await other?.got(41);
  expect(parsed).toBeLessThanOrEqual(10 * inBundle);
});

test('requests that come on hundreds of connections at once are all answered', async () => {
  const clients = await connectAndAsk(100, addressesFrom2(10));
  for (const { socket } of clients) socket.write(request.repeat(3));
  for (const { got } of clients) await got(4);
  for (const { socket } of clients) socket.write(request);
  for (const { got } of clients) await got(5);
  expect(parsed).toBe(4 * clients.length);
});

test('every request of every bundle is answered, and so are plain requests of the same client', async () => {
  const [plain, ...bundled] = await connectMany(4, '127.0.0.2');
  for (const { socket } of bundled) socket.write(bundle);
  for (let count = 1; count <= 20; count += 1) {
    plain?.socket.write(request);
    await plain?.got(count);
  }
  for (const client of bundled) await client.got(inBundle);
  for (const { socket } of bundled) socket.write(bundle);
  for (const client of bundled) await client.got(2 * inBundle);
  expect(parsed).toBe(6 * inBundle + 20);
});

test('a bundle behind an answer that never comes does not delay others at its address', async () => {
  const stuck = await connectFrom('127.0.0.2');
  const neighbour = await connectFrom('127.0.0.2');
  stuck.socket.write(request.replace('/', '/never') + bundle);
  neighbour.socket.write(request);
  await neighbour.got(1);
  const late = await connectFrom('127.0.0.2');
  late.socket.write(request);
  await late.got(1);
  expect(stuck.answers()).toBe(0);
});

test('a connection closed after its bundle does not stop others from being read', async () => {
  const [first, second] = await connectMany(2, '127.0.0.2');
  first?.socket.write(bundle, () => first.socket.resetAndDestroy());
  second?.socket.write(bundle);
  await second?.got(inBundle);
  expect(second?.answers()).toBe(inBundle);
});

test('no stacks are made for the requests of a closed connection, and later errors have theirs', async () => {
  const frames: number[] = [];
  const usual = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, calls) => {
    if (error.message === 'aborted') frames.push(calls.length);
    return String(error);
  };
  const { socket } = await connectFrom('127.0.0.2');
  socket.write(request.replace('/', '/never') + request.repeat(30));
  await expect.poll(() => parsed).toBe(31);
  // A client that closes it would not be noticed: nothing is read from a connection with so many waiting requests.
  await listener.close(0);
  await expect.poll(() => frames).toEqual(Array(31).fill(0));
  Error.prepareStackTrace = usual;
  expect(new Error('later').stack).toContain('\n    at ');
});

test('a client that keeps sending requests after its last answer is disconnected', async () => {
  const { socket } = await connectFrom('127.0.0.2');
  socket.on('error', () => {});
  socket.write(request.replace('\r\n\r\n', '\r\nUpgrade: x\r\n\r\n'));
  const isClosed = new Promise((done) => socket.once('close', done));
  for (let sent = 0; sent < 200 && !socket.destroyed; sent += 1) {
    await new Promise((done) => socket.write(bundle, done));
  }
  await isClosed;
  // As much as may come in one piece, or two.
  expect(parsed).toBeLessThanOrEqual(2 * Math.ceil(65_536 / request.length) + 1);
});

test('a client waits for a few requests of others, not for one on each of their connections', async () => {
  const attackers = await connectAndAsk(100, addressesFrom2(5));
  const [other] = await connectAndAsk(1, ['127.0.0.99']);
  for (const { socket } of attackers) socket.write(request);
  other?.socket.write(request);
  await other?.got(2);
  const answered = attackers.reduce((sum, { answers }) => sum + answers() - 1, 0);
  expect(answered).toBeLessThanOrEqual(100);
  for (const { got } of attackers) await got(2);
});

test('while thousands of requests wait to be handled, no more are read', async () => {
  const clients = await connectAndAsk(200, addressesFrom2(20));
  const before = clients.length;
  let answered = 0;
  let mostOpen = 0;
  for (const { socket } of clients) {
    socket.on('answers', () => {
      answered += 1;
      mostOpen = Math.max(mostOpen, parsed - answered);
    });
    socket.write(request);
  }
  for (const { got } of clients) await got(2);
  expect(answered).toBe(before);
  expect(mostOpen).toBeLessThanOrEqual(3_000);
});
