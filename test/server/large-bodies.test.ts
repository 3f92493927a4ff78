import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const deep = 200_000;
  const answer = await upload(`{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`);
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('brackets')]);
  const text = await upload(JSON.stringify({ x: '['.repeat(2 * deep) }));
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

test('the error about a body that is not JSON names the place', async () => {
  const tell = async (body: string) => JSON.parse((await upload(body)).body.toString()).error;
  expect(await tell('{"a": 1,\n "b": }')).toBe('The request body is not valid JSON: line 2, column 7.');
  expect(await tell('{"a": 1 "b"}')).toBe('The request body is not valid JSON: line 1, column 9.');
  expect(await tell(`{"a": "${'x'.repeat(9_000)}", b}`)).toBe(
    'The request body is not valid JSON: line 1, column 9011.',
  );
  expect(await tell('{"a": 1')).toBe('The request body is not valid JSON: line 1, column 8.');
});
