import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const json = { 'Content-Type': 'application/json' };
const upload = (body: string) =>
  send(server.port, { method: 'POST', path: '/api/rounds', headers: json, body });

test('brackets inside each other are counted before they are parsed', async () => {
  const deep = 400_000;
  const answer = await upload(`{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`);
  expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringContaining('brackets')]);
  const text = await upload(JSON.stringify({ x: '['.repeat(deep) }));
  expect(text.body.toString()).not.toContain('brackets');
});

/** Sends all but the end of a large body, and gives what is answered meanwhile. */
function holdBody(): Promise<{ socket: Socket; answer: () => string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.on('error', reject);
    const head = `POST /api/rounds HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\nContent-Length: 1048000\r\n\r\n`;
    socket.write(head + '{"x":"'.padEnd(1_040_000, 'x'), () => resolve({ socket, answer: () => text }));
  });
}

test('bodies that are never finished are held up to a budget, and small requests never wait for it', async () => {
  const held = await Promise.all(Array.from({ length: 60 }, holdBody));
  await expect.poll(() => held.filter(({ answer }) => answer().includes(' 429 ')).length).toBeGreaterThan(20);
  expect((await send(server.port, { method: 'POST', path: '/api/sessions' })).status).toBe(201);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await upload(`{"x":"${'x'.repeat(900_000)}"}`)).status).toBe(400);
});
