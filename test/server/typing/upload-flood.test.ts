import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageFile } from '../../../src/kit/package-files.ts';
import { type Answer, finish, send } from '../../support/http-client.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';

// Uploads of many clients at once, at a server whose heap has no room for all of them together.

let dir: string;
let server: RunningProcess;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-uploads-'));
  const content = packageFile('content', 'sample');
  server = await startServeProcess(
    ['--data', join(dir, 'data'), '--content', content, '--trust-proxy', '127.0.0.1'],
    { env: { NODE_OPTIONS: '--max-old-space-size=256' } },
  );
});
afterEach(async () => {
  const gone = once(server.child, 'exit');
  if (server.child.kill('SIGKILL')) await gone;
  await rm(dir, { recursive: true, force: true });
});

/** The longest characters, each of its own: nearly a MiB, of which the parsed round takes a multiple. */
const longest = (at: number) =>
  `e${'\u0323\u0331'.repeat(14)}\u0301${String.fromCharCode(0x300 + (at % 60))}`;
const letters = 9_900;
const longRound = {
  words: ['x'.repeat(letters)],
  mode: { type: 'text' },
  events: [
    ...Array.from({ length: letters }, (_, at) => ({ type: 'keystroke', char: longest(at) })),
    ...Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? { type: 'keystroke', char: 'y' } : { type: 'backspace' },
    ),
    { type: 'space' },
  ],
};
const smallRound = {
  words: ['train'],
  mode: { type: 'text' },
  events: [...[...'train'].map((char) => ({ type: 'keystroke', char })), { type: 'space' }],
};
const timing = {
  start_time_unix_ms: 1_700_000_000_000,
  end_time_unix_ms: 1_700_006_000_000,
  duration_ms: 6_000_000,
};
const toBody = (round: object) => Buffer.from(JSON.stringify({ id: randomUUID(), ...round, ...timing }));

function newUpload(client: number): ClientRequest {
  return request({
    port: server.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/rounds',
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `198.18.${client >> 8}.${client & 255}`,
      Authorization: `Bearer ${'k'.repeat(30)}${client}`,
    },
  });
}
const upload = (client: number, body: Buffer): Promise<Answer> => finish(newUpload(client), body);

describe('long rounds of many clients at once', () => {
  it('are kept one after the other, or refused, and the server goes on', async () => {
    const flood = Promise.all(Array.from({ length: 60 }, (_, client) => upload(client, toBody(longRound))));
    const answers = await flood;
    const statuses = answers.map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([201, 429]);
    // As many as the bodies of all requests together may take, 32 MiB, have room.
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(30);
    expect((await send(server.port, { path: '/health' })).status).toBe(200);
    expect((await upload(1_000, toBody(longRound))).status).toBe(201);
  }, 120_000);

  it('wait unparsed, however small they are and on however many connections', async () => {
    // Nobody reads the name, and 2,150 objects take fifteen times their text.
    const sockets = Array.from({ length: 4_000 }, () =>
      connect(server.port, '127.0.0.1').setEncoding('latin1'),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const statuses = sockets.map(async (socket, at) => {
      const body = toBody({ ...smallRound, ignored: Array(2_150).fill({}) });
      socket.write(
        `POST /api/rounds HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 198.18.0.${at % 10}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      socket.destroy();
      return String(answer).slice(9, 12);
    });
    for (const status of await Promise.all(statuses)) expect(['201', '429']).toContain(status);
    expect((await send(server.port, { path: '/health' })).status).toBe(200);
  }, 120_000);

  it('do not delay small ones, nor other requests', async () => {
    let isOver = false;
    const body = toBody(longRound);
    const flood = Promise.all(Array.from({ length: 25 }, (_, client) => upload(client, body))).then(
      (answers) => {
        isOver = true;
        return answers;
      },
    );
    expect((await upload(999, toBody(smallRound))).status).toBe(201);
    expect((await send(server.port, { method: 'POST', path: '/api/sessions' })).status).toBe(201);
    expect(isOver).toBe(false);
    expect((await flood).map(({ status }) => status)).toEqual(Array(25).fill(201));
  }, 120_000);
});
