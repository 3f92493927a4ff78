import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { HttpError } from '../../../src/server/http/errors.ts';
import {
  createListener,
  type Listener,
  type ListenerOptions,
  type ObservedAnswer,
} from '../../../src/server/http/listener.ts';
import { createRateLimiter, type RateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { jsonReply } from '../../../src/server/http/reply.ts';
import type { Route } from '../../../src/server/http/router.ts';
import { send, sendRaw } from '../../support/http-client.ts';
import { toPipeline } from './pipeline-of-routes.ts';

const faults: unknown[] = [];
let listener: Listener | undefined;
const gates: (() => void)[] = [];
const longest = 12_000_000;
/** How often `/counted` was handled. */
let counted = 0;

const routes: readonly Route[] = [
  { method: 'GET', path: '/fast', handler: () => jsonReply(200, { ok: true }) },
  {
    method: 'GET',
    path: '/counted',
    handler: () => {
      counted += 1;
      return jsonReply(200, { counted });
    },
  },
  { method: 'GET', path: '/peer', handler: ({ peer }) => jsonReply(200, { peer }) },
  // More than the system takes at once.
  { method: 'GET', path: '/long', handler: () => jsonReply(200, { long: 'x'.repeat(longest) }) },
  {
    method: 'GET',
    path: '/gated',
    handler: () => new Promise((resolve) => gates.push(() => resolve(jsonReply(200, { ok: true })))),
  },
  {
    method: 'GET',
    path: '/broken',
    handler: () => {
      throw new Error('the secret cause');
    },
  },
  { method: 'GET', path: '/rejected', handler: () => Promise.reject(new Error('the secret cause')) },
  {
    method: 'GET',
    path: '/teapot',
    handler: () => Promise.reject(new HttpError('CHANGE_REFUSED', 'Short and stout.', [], 418)),
  },
  {
    method: 'POST',
    path: '/echo',
    handler: async (context) => jsonReply(200, await context.json()),
  },
  {
    method: 'POST',
    path: '/unread',
    handler: () => jsonReply(200, { ok: true }),
  },
  { method: 'POST', path: '/empty', handler: () => ({ status: 204, headers: [] }) },
  {
    method: 'POST',
    path: '/large-echo',
    handler: async (context) => jsonReply(200, await context.json(64 * 1024)),
  },
];

async function listen(options: ListenerOptions = {}, limiter?: RateLimiter): Promise<number> {
  const pipeline = toPipeline(routes, { onFault: (fault) => faults.push(fault) }, limiter);
  listener = createListener(pipeline, options);
  return (await listener.listen(0, '127.0.0.1')).port;
}

afterEach(async () => {
  for (const open of gates.splice(0)) open();
  faults.length = 0;
  await listener?.close(0);
  listener = undefined;
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(5);
}

test('an address in use is an error of the system, and the one that has it goes on', async () => {
  const port = await listen();
  const second = createListener(toPipeline(routes, { onFault: () => undefined }), {});
  await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect((await send(port, { path: '/broken' })).status).toBe(500);
});

test.each(['/broken', '/rejected'])(
  '%s is a 500 whose cause only goes to the log, with the id of the answer',
  async (path) => {
    const port = await listen();
    const answer = await send(port, { path });
    expect(answer.status).toBe(500);
    expect(answer.headers['request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect(JSON.parse(answer.body.toString()).code).toBe('INTERNAL_ERROR');
    expect(answer.body.toString()).not.toContain('secret');
    expect(faults).toEqual([expect.objectContaining({ message: 'the secret cause' })]);
  },
);

test('an observer sees every answer once: its route, its id, which limit refused it and how long it took', async () => {
  const seen: ObservedAnswer[] = [];
  const few = createRateLimiter({ name: 'few', rate: 0.001, burst: 3 });
  const port = await listen({ onAnswer: (answer) => seen.push(answer), givesIds: true }, few);
  const begin = performance.now();
  const answers = [];
  for (const path of ['/fast', '/nothing', '/broken']) answers.push(await send(port, { path }));
  const gone = connect(port, '127.0.0.1');
  gone.write('GET /gated HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => gates.length === 1);
  await wait(20);
  gone.resetAndDestroy();
  await until(() => seen.length === 4);
  await send(port, { path: '/fast' });
  await until(() => seen.length === 5);
  expect(seen.map(({ status, route, refusedBy }) => [status, route, refusedBy])).toEqual([
    [200, '/fast', undefined],
    [404, undefined, undefined],
    [500, '/broken', undefined],
    [499, '/gated', undefined],
    [429, '/fast', 'few'],
  ]);
  expect(seen.map(({ request }) => request.url)).toEqual(['/fast', '/nothing', '/broken', '/gated', '/fast']);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(5);
  expect(answers[2]?.headers['request-id']).toBe(seen[2]?.id);
  const times = seen.map(({ milliseconds }) => milliseconds);
  expect(times[3]).toBeGreaterThan(15);
  expect(times.reduce((sum, each) => sum + each)).toBeLessThan(performance.now() - begin);
});

const jsonType = { 'content-type': 'application/json' };
const bodies: readonly [
  what: string,
  headers: Record<string, string>,
  body: string | Buffer,
  status: number,
  code?: string,
][] = [
  ['an object', jsonType, '{"a":1}', 200],
  [
    'an object that says its charset',
    { 'content-type': 'Application/JSON; charset="UTF-8"' },
    '{"a":1}',
    200,
  ],
  ['nothing', {}, '', 200],
  ['white space only', jsonType, '  ', 400, 'INVALID_REQUEST'],
  ['an array', jsonType, '[1]', 400, 'INVALID_REQUEST'],
  ['half an object', jsonType, '{"a":', 400, 'INVALID_REQUEST'],
  [
    'bytes that are no UTF-8',
    jsonType,
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    400,
    'INVALID_REQUEST',
  ],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['JSON that calls itself text', { 'content-type': 'text/plain' }, '{"a":1}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['JSON without a type', {}, '{"a":1}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'JSON in Latin-1',
    { 'content-type': 'application/json; charset=latin1' },
    '{"a":1}',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['compressed JSON', { ...jsonType, 'content-encoding': 'gzip' }, '{"a":1}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['16 KiB', jsonType, `{"a":"${'x'.repeat(16 * 1024 - 8)}"}`, 200],
  ['16 KiB and a byte', jsonType, `{"a":"${'x'.repeat(16 * 1024 - 7)}"}`, 413, 'REQUEST_TOO_LARGE'],
  [
    'endless chunks',
    { ...jsonType, 'transfer-encoding': 'chunked' },
    'x'.repeat(1_000_000),
    413,
    'REQUEST_TOO_LARGE',
  ],
];

for (const [what, headers, body, status, code] of bodies) {
  test(`a body of ${what} is answered ${status}`, async () => {
    const port = await listen();
    const answer = await send(port, { method: 'POST', path: '/echo', headers, body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString() || '{}').code).toBe(code);
  });
}

test('the answer to a chunked body that nobody reads closes the connection, so that its trailers end', async () => {
  const port = await listen();
  const head = 'POST /unread HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const received = await sendRaw(port, [`${head}1\r\nx\r\n0\r\nUnfinished: `]);
  expect(received).toContain('\r\nConnection: close\r\n');
  const nothing = await sendRaw(port, [`${head.replace('unread', 'empty')}1\r\nx`]);
  expect(nothing).toMatch(/^HTTP\/1\.1 204 [\s\S]*\r\n\r\n$/);
});

test('a client that goes on sending after an invalid request reads its answer, and is disconnected after some megabytes', async () => {
  const port = await listen();
  const early = 'POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n';
  const sendAfter = async (megabytes: number, start = 'nonsense\r\n\r\n') => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    let received = '';
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(start);
    for (let sent = 0; sent < 16 * megabytes && !socket.destroyed; sent += 1) {
      socket.write('x'.repeat(64 * 1024));
      await wait(1);
    }
    if (!socket.destroyed) socket.end();
    socket.on('data', (chunk) => {
      received += chunk;
    });
    await isClosed;
    return { received, bytes: socket.bytesWritten };
  };
  expect((await sendAfter(1 / 4)).received).toMatch(/^HTTP\/1\.1 400 /);
  for (const start of [undefined, early, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'])
    expect((await sendAfter(64, start)).bytes).toBeLessThan(12 * 1024 * 1024);
});

test('a client that asks for the end of its connection and still sends its body gets its answer', async () => {
  const port = await listen();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let received = '';
  socket.write('POST /unread HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{');
  // The answer waits in the buffer of the system, which discards it if the server's side is closed by then.
  await wait(100);
  socket.write('"a": 1');
  await wait(100);
  socket.end('}').on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n{"ok":true}$/s);
});

test('a malformed request behind one that is still worked on is answered, also if the client has closed its side', async () => {
  const port = await listen();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('GET /gated HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
  await until(() => gates.length === 1);
  await wait(100);
  socket.end('more nonsense\r\n\r\n');
  await wait(100);
  gates.pop()?.();
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  expect(received).toMatch(/\r\nConnection: close\r\n\r\n\{[^{]*$/);
});

test('a connection goes on after an error that leaves no doubt where the next request begins', async () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
  const wanted = `${get('/none')}\r\n${get('/teapot')}\r\n${get('/fast')}Connection: close\r\n\r\n`;
  const statuses = (await sendRaw(await listen(), [wanted])).match(/(?<=HTTP\/1\.1 )\d+/g);
  expect(statuses).toEqual(['404', '418', '200']);
});

test('a handler is told the address at the other end of the connection', async () => {
  const { body } = await send(await listen(), { path: '/peer' });
  expect(body.toString()).toBe('{"peer":"127.0.0.1"}');
});

test('headers that come too slowly are answered 408 and the connection is closed', async () => {
  const port = await listen({ headersTimeout: 300, requestTimeout: 300 });
  const received = await sendRaw(port, ['GET /fast HTTP/1.1\r\nHost: a\r\nX-Slow: ']);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('"code":"REQUEST_TIMEOUT"');
});

test('a body that comes too slowly is answered 408 and its handler ends', async () => {
  const port = await listen({ headersTimeout: 300, requestTimeout: 600 });
  const received = await sendRaw(port, [
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
  ]);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(faults).toEqual([]);
});

test('a client that vanishes in the middle of its body is not a fault of the server', async () => {
  const port = await listen();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
  );
  await wait(50);
  socket.destroy();
  expect((await send(port, { path: '/fast' })).status).toBe(200);
  expect(faults).toEqual([]);
});

test('a client that asks for a tunnel and resets the connection does not end the server', async () => {
  const port = await listen();
  for (let left = 50; left > 0; left -= 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.resetAndDestroy();
  }
  expect((await send(port, { path: '/fast' })).status).toBe(200);
});

const expecting = (length: number) =>
  `POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('a client that asks whether to continue gets 100 Continue, and then its answer', async () => {
  const port = await listen();
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.write(expecting(7));
  await until(() => received.includes('\r\n\r\n'));
  expect(received).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{"a":1}');
  await until(() => received.includes('{"a":1}'));
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});

test('a client that asks whether to send far too much gets only 413, at once', async () => {
  const port = await listen();
  const received = await sendRaw(port, [expecting(10_000_000)]);
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(received.match(/^connection: close\r$/gim)).toHaveLength(1);
});

test('a body that arrived whole does not end the connection, although nobody reads it', async () => {
  const port = await listen();
  const unread = (headers: string) =>
    `POST /unread HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 3\r\n\r\nabc`;
  const received = await sendRaw(port, [unread('') + unread('') + unread('Connection: close\r\n')]);
  expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
});

test('an immediate answer to a client that waits for 100 Continue is the last one on its connection', async () => {
  const port = await listen();
  const received = await sendRaw(port, [
    'POST /fast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n',
  ]);
  expect(received).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nConnection: close\r\n/);
});

const fast = 'GET /fast HTTP/1.1\r\nHost: a\r\n\r\n';

test.each([
  ['ends its side', (socket: Socket) => socket.end()],
  ['goes on sending', (socket: Socket) => socket.end('x'.repeat(3_000_000))],
  ['sends what is no chunk', (socket: Socket) => socket.end('nonsense\r\n'), 'Transfer-Encoding: chunked'],
  [
    'sends requests behind its body',
    (socket: Socket) => socket.end(`abc${fast.repeat(9_999)}`),
    'Content-Length: 3',
  ],
])(
  'a client that gets its answer before its body was read, and %s, gets all of it',
  async (_, goOn, length = 'Content-Length: 9000000') => {
    const port = await listen();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.write(`GET /long HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${length}\r\n\r\n`);
    await once(socket, 'readable');
    goOn(socket);
    await wait(300);
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length));
    await once(socket, 'close');
    expect(received).toBeGreaterThan(longest);
  },
);

test('100 Continue is never in the middle of an answer, however many requests arrive at once', async () => {
  const port = await listen();
  const gated = 'GET /gated HTTP/1.1\r\nHost: a\r\n\r\n';
  const answered = sendRaw(port, [`${gated}${expecting(7)}{"a":1}`]);
  await until(() => gates.length === 1);
  await wait(20);
  gates.pop()?.();
  const received = await Promise.race([answered, wait(7_000).then(() => 'no end')]);
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n\{"ok":true\}HTTP\/1\.1 200 OK\r\n/);
  expect(received).not.toContain('100 Continue');
});

test('an unknown expectation is refused after the requests before it', async () => {
  const port = await listen();
  const strange = 'POST /echo HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 2\r\n\r\n{}';
  const answered = sendRaw(port, [`GET /gated HTTP/1.1\r\nHost: a\r\n\r\n${strange}`]);
  await until(() => gates.length === 1);
  gates.pop()?.();
  expect((await answered).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417']);
});

test('a complete request gets its answer before the broken one after it', async () => {
  const port = await listen();
  const answered = sendRaw(port, ['GET /gated HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\nmore\r\n\r\n']);
  await until(() => gates.length === 1);
  await wait(20);
  gates.pop()?.();
  expect((await answered).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('five hundred connections that never finish their headers keep nobody else waiting, and are all closed', async () => {
  const port = await listen({ headersTimeout: 2_000, requestTimeout: 2_000 });
  const sockets: Socket[] = [];
  for (let i = 0; i < 500; i += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /fast HTTP/1.1\r\nHo');
    sockets.push(socket);
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  expect((await send(port, { path: '/fast' })).status).toBe(200);
  for (const socket of sockets) socket.resume();
  await until(() => sockets.every((socket) => socket.destroyed));
});

test('closing lets a running request finish, and accepts no new connection', async () => {
  const port = await listen();
  const running = send(port, { path: '/gated' });
  await until(() => gates.length === 1);
  const closed = listener?.close(5_000);
  await expect(send(port, { path: '/fast', headers: { connection: 'close' } })).rejects.toThrow();
  await wait(50);
  gates.pop()?.();
  expect(await running).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await closed;
});

test('closing aborts what is still running after the grace period', async () => {
  const port = await listen();
  const running = send(port, { path: '/gated' }).catch((error: NodeJS.ErrnoException) => error.code);
  await until(() => gates.length === 1);
  await listener?.close(100);
  expect(await running).toBe('ECONNRESET');
});

test('a request that is accepted while the server closes is answered', async () => {
  for (let times = 0; times < 40; times += 1) {
    const port = await listen();
    const closing = listener;
    let answered = 0;
    counted = 0;
    let closed: Promise<void> | undefined;
    const askForEver = async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const ask = () => socket.write('GET /counted HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.on('data', () => {
        answered += 1;
        setTimeout(ask, answered % 3);
        // Here, while the system has already reported requests on other connections.
        if (answered > 60) closed ??= closing?.close(5_000);
      });
      ask();
      await once(socket, 'close');
    };
    await Promise.all(Array.from({ length: 12 }, askForEver));
    await closed;
    expect(answered).toBe(counted);
  }
});

test('closing does not wait for idle connections', async () => {
  const port = await listen();
  await send(port, { path: '/fast' });
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  await listener?.close(60_000);
  idle.destroy();
});

test('an answer may take longer than a connection may be silent', async () => {
  const port = await listen({ idleTimeout: 100 });
  const answer = send(port, { path: '/gated' });
  const half = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf';
  const beforeHalf = sendRaw(port, [`GET /gated HTTP/1.1\r\nHost: a\r\n\r\n${half}`]);
  await expect.poll(() => gates.length).toBe(2);
  await wait(600);
  for (const open of gates) open();
  expect((await answer).status).toBe(200);
  expect(await beforeHalf).toMatch(/^HTTP\/1\.1 200 /);
  // A connection on which nothing is owed goes as before.
  expect(await sendRaw(port, ['GET /fast HTTP/1.1\r\nHost: x\r\nX-Half: '])).toBe('');
});

test('a request that arrives while the process is blocked is answered, even if its idle connection has timed out by then', async () => {
  const port = await listen({ keepAliveTimeout: 1_000 });
  const socket = connect(port, '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (chunk) => answers.push(chunk.toString()));
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  await once(socket, 'connect');
  const get = 'GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const count = () => answers.join('').split('HTTP/1.1 200').length - 1;
  socket.write(get);
  await until(() => count() === 1);
  for (let times = 2; times <= 4; times += 1) {
    socket.write(get);
    // As a process is that gets no turn on a busy machine.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    await until(() => count() === times || errors.length > 0 || socket.destroyed);
    expect([count(), errors]).toEqual([times, []]);
  }
  await until(() => socket.destroyed || socket.readableEnded);
});

test('a client that has closed its sending side gets all of its answers', async () => {
  const port = await listen();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  socket.end('GET /gated HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3));
  for (let answered = 0; answered < 3; answered += 1) {
    await until(() => gates.length === 1);
    await wait(20);
    gates.pop()?.();
  }
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
});
