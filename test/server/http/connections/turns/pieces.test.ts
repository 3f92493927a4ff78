import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConnectionCap } from '../../../../../src/server/http/connections/connection-cap.ts';
import { createListener, type Listener } from '../../../../../src/server/http/connections/listener.ts';
import { toJsonReply } from '../../../../../src/server/http/replies/reply.ts';
import { readBody, releaseBody } from '../../../../../src/server/http/requests/body-bytes.ts';
import { sendRaw } from '../../../../support/http-client.ts';
import { toPipeline } from '../pipeline-of-routes.ts';

// Bodies in chunks of one byte, from a process of its own: it fills the buffers of the system again while they are read.
let listener: Listener;
let port: number;

beforeEach(async () => {
  sockets.length = 0;
  subscribe('net.server.socket', addSocket);
  const pipeline = toPipeline([
    { method: 'GET', path: '/', handler: () => toJsonReply(200, { ok: true }) },
    {
      method: 'POST',
      path: '/',
      handler: async (context) => {
        const body = await readBody(context, 1_000_000);
        const { length } = body;
        releaseBody(body);
        return toJsonReply(200, { length });
      },
    },
    { method: 'GET', path: '/never', handler: () => new Promise(() => {}) },
    { method: 'POST', path: '/never', handler: () => new Promise(() => {}) },
    {
      method: 'POST',
      path: '/digest',
      handler: async (context) => {
        const body = await readBody(context, 1_000_000);
        const bytes = body.bytes.subarray(0, body.length);
        const digest = createHash('sha256').update(bytes).digest('hex');
        releaseBody(body);
        return toJsonReply(200, { digest });
      },
    },
  ]);
  listener = createListener(pipeline, { capOf: createConnectionCap({ limit: 200, trusted: undefined }) });
  port = (await listener.listen(0, '127.0.0.1')).port;
});

afterEach(() => {
  unsubscribe('net.server.socket', addSocket);
  return listener.close(0);
});

/** The server's ends of all connections. */
const sockets: Socket[] = [];
const addSocket = (message: unknown) => sockets.push((message as { socket: Socket }).socket);

/** Bytes that the server reads in each turn of its event loop, until the end: those of its longest turn, and of all. */
function watchTurns() {
  const bytesRead = () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
  const start = bytesRead();
  let before = start;
  let most = 0;
  let next = setImmediate(function look() {
    const now = bytesRead();
    most = Math.max(most, now - before);
    before = now;
    next = setImmediate(look);
  });
  return {
    end() {
      clearImmediate(next);
      return { most, total: before - start };
    },
  };
}

const toStart = (start: string) =>
  `${start} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;

test('the bytes of a body in small and large chunks arrive in order', async () => {
  const chunks = Array.from({ length: 3_000 }, (_, at) => String(at).repeat(at % 97 === 0 ? 500 : 1));
  const socket = connect({ port, host: '127.0.0.1' });
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  socket.write(
    'POST /digest HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
  );
  for (const chunk of chunks) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  socket.write('0\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toContain(createHash('sha256').update(chunks.join('')).digest('hex'));
});

test('requests that wait with bodies of small chunks are all answered', async () => {
  const body = `${'1\r\n \r\n'.repeat(8_000)}0\r\n\r\n`;
  const request = `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
  const last = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
  const answer = await sendRaw(port, [request.repeat(9) + last]);
  expect(answer.split('{"length":8000}')).toHaveLength(11);
});

test.each([
  ['one that arrives in chunks', `${toStart('POST /')}64\r\n`, `${'x'.repeat(100)}\r\n64\r\n`],
  [
    'many that are whole',
    '',
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15000\r\n\r\n${'x'.repeat(15_000)}`,
  ],
])('bodies of waiting requests are not read ahead: %s', async (_, start, repeated) => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write('GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.write(start + repeated.repeat(4_000_000 / repeated.length));
  for (let turn = 0; turn < 2_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(sockets[0]?.bytesRead).toBeGreaterThan(10_000);
  expect(sockets[0]?.bytesRead).toBeLessThan(200_000);
  socket.destroy();
});

test.each([
  ['that is read', 'POST', '/'],
  ['that is not read', 'POST', '/never'],
])('a body of thousands of tiny chunks %s is refused in the middle', async (_, method, path) => {
  const socket = connect({ port, host: '127.0.0.1' });
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  socket.on('error', () => {});
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const flood = setInterval(() => socket.write('1\r\n \r\n'.repeat(1_000)), 5);
  await once(socket, 'close');
  clearInterval(flood);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"The body consists of tiny chunks: send larger ones\."/);
});

const lines = (count: number) => 'a:b\r\n'.repeat(count);

test('a request with more than 100 header lines is refused, even before its body has come', async () => {
  const ask = (count: number) =>
    sendRaw(port, [
      `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1\r\n${lines(count - 3)}\r\n`,
      count > 100 ? '' : 'x',
    ]);
  expect(await ask(100)).toMatch(/^HTTP\/1\.1 200 /);
  for (const count of [101, 300, 2_500]) {
    // Newer Nodes refuse some of them by themselves.
    expect(await ask(count)).toMatch(
      /^HTTP\/1\.1 431 [\s\S]*"The request (has too many header lines|line and headers are too long, or too many)\."/,
    );
  }
});

const flood = `
  const { connect } = require('node:net');
  const [port, start, repeated, connections] = process.argv.slice(1);
  const more64k = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)));
  for (let at = 0; at < connections; at += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    socket.on('error', () => {}).resume();
    socket.write(start);
    const more = () => { while (socket.write(more64k)); };
    socket.on('drain', more);
    more();
  }
  process.stdout.write('flooding');
`;

/** Newer Nodes count trailers like header lines, and refuse thousands of them: such a connection is closed. */
const countsTrailers = Number(process.versions.node.split('.')[0]) >= 22;
const tinyChunk = '1\r\n \r\n';

test.each([
  ['chunks of a body that is read', toStart('POST /'), tinyChunk],
  ['chunks of a body that nobody needs', toStart('GET /'), tinyChunk],
  ['chunks of a body for an unknown path', toStart('POST /unknown'), tinyChunk],
  ['requests with many header lines', '', `GET / HTTP/1.1\r\nHost: localhost\r\n${lines(90)}\r\n`],
  ['requests with many trailers', '', `${toStart('POST /')}0\r\n${lines(90)}\r\n`],
  ...(countsTrailers
    ? []
    : [['requests with thousands of trailers', '', `${toStart('POST /')}0\r\n${lines(2_500)}\r\n`]]),
])('new connections of others are answered between %s', async (_, start, repeated) => {
  const attacker = spawn(process.execPath, ['-e', flood, String(port), start, repeated, '8'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // It ends by itself if all its connections are closed.
  const hasExited = once(attacker, 'exit');
  try {
    await once(attacker.stdout, 'data');
    const turns = watchTurns();
    for (let asked = 0; asked < 20; asked += 1) {
      expect(
        await sendRaw(port, ['GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n']),
      ).toContain('200 OK');
    }
    const { most, total } = turns.end();
    expect(total).toBeGreaterThan(2 * most);
    expect(most).toBeLessThanOrEqual(4 * 65_536);
  } finally {
    attacker.kill('SIGKILL');
    await hasExited;
  }
});
