import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTrustProxy } from '../../src/server/settings/config-parsers.ts';
import { send } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { startServeProcess } from '../support/typebadge-process.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const json = { 'Content-Type': 'application/json' };
const upload = (body: string) =>
  send(server.port, { method: 'POST', path: '/api/rounds', headers: json, body });

test('nested brackets are counted before parsing', async () => {
  const deep = 400_000;
  const answer = await upload(`{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`);
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('brackets')]);
  const text = await upload(JSON.stringify({ x: '['.repeat(deep) }));
  expect(text.body.toString()).not.toContain('brackets');
});

test('small bodies have the same limit of brackets', async () => {
  const nest = (count: number) => upload(`{"x":${'['.repeat(count)}${']'.repeat(count)}}`);
  expect([(await nest(32)).status, (await nest(32)).body.toString()]).toEqual([
    400,
    expect.stringContaining('brackets'),
  ]);
  expect((await nest(31)).body.toString()).not.toContain('brackets');
});

/** Sends all but the end of a large body, and gives what is answered meanwhile. */
function holdBody(
  port = server.port,
  address = '127.0.0.1',
  length = 1_040_000,
  headers = '',
): Promise<{ socket: Socket; answer: () => string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    const head = `POST /api/rounds HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${length + 8_000}\r\n${headers}\r\n`;
    socket.write(head + '{"x":"'.padEnd(length, 'x'), () => resolve({ socket, answer: () => text }));
  });
}

test('unfinished bodies are limited by a budget, and small requests never wait for it', async () => {
  const held = await Promise.all(Array.from({ length: 60 }, () => holdBody()));
  await expect.poll(() => held.filter(({ answer }) => answer().includes(' 429 ')).length).toBeGreaterThan(20);
  expect((await send(server.port, { method: 'POST', path: '/api/sessions' })).status).toBe(201);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await upload(`{"x":"${'x'.repeat(900_000)}"}`)).status).toBe(400);
});

test('one client gets a part of that budget, and others can still send bodies', async () => {
  const strangers = await startTestServer({ trustProxy: parseTrustProxy('127.0.0.1') });
  const from = (address: string) =>
    send(strangers.port, {
      method: 'POST',
      path: '/api/rounds',
      headers: { ...json, 'X-Forwarded-For': address },
      body: `{"x":"${'x'.repeat(1_000_000)}"}`,
    });
  const held = await Promise.all(
    Array.from({ length: 40 }, (_, at) => holdBody(strangers.port, `2001:db8:5::${at}`)),
  );
  await expect.poll(() => held.filter(({ answer }) => answer().includes(' 429 ')).length).toBeGreaterThan(20);
  expect((await from('2001:db8:5:9::1')).status).toBe(429);
  expect((await from('203.0.113.1')).status).toBe(400);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await from('2001:db8:5:9::1')).status).toBe(400);
  await strangers.close();
});

const manyHeaders = `x-${'y'.repeat(70)}: 1\r\n`.repeat(75);

test.each([
  ['bodies of some kilobytes', 24_000, ''],
  ['bodies of some kilobytes with long headers', 9_000, manyHeaders],
])('a thousand unfinished %s count towards that budget too', async (_, length, headers) => {
  const strangers = await startTestServer({ trustProxy: parseTrustProxy('127.0.0.1') });
  const held = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) =>
      holdBody(strangers.port, `2001:db8:5:${at}::1`, length, headers),
    ),
  );
  await expect
    .poll(() => held.filter(({ answer }) => answer().includes('Too many large requests')).length)
    .toBeGreaterThan(50);
  for (const { socket } of held) socket.destroy();
  await strangers.close();
});

test('a body that comes in half a million pieces takes no more memory than its bytes', async () => {
  const { port, child } = await startServeProcess([]);
  const memory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const before = await memory();
  const socket = connect(port, '127.0.0.1').resume();
  socket.write(
    `POST /api/rounds HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (let part = 0; part < 50; part += 1) {
    const isTaken = socket.write('1\r\n \r\n'.repeat(10_000));
    if (!isTaken) await new Promise((resolve) => socket.once('drain', resolve));
  }
  await expect.poll(() => socket.writableLength).toBe(0);
  expect((await send(port, { path: '/health' })).status).toBe(200);
  // As objects of their own, the pieces took 200 MB.
  expect((await memory()) - before).toBeLessThan(100);
  socket.destroy();
  child.kill('SIGKILL');
});
