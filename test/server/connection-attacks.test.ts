import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { send, sendRaw } from '../support/http-client.ts';
import { type RunningProcess, startServeProcess } from '../support/typebadge-process.ts';

// Attacks on the whole program by connections alone. Memory is that of its process, read from Linux.
const canReadMemory = process.platform === 'linux';
const megabyte = 1024 * 1024;
/** Connections that this system lets wait for a server that is busy. */
const mostWaiting = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8').catch(() => 0));
/**
 * V8 lets short-lived objects pile up before it collects them, 48 MB in Node 20 and more in newer ones. What is weighed
 * here is what attackers keep, not garbage.
 */
const garbageLimit = '--max-semi-space-size=8';
const isNewer = Number.parseInt(process.versions.node, 10) >= 24;
/** What an attack may cost. Newer V8 also lets old garbage lie, up to 140 MB of it; what the attacks ask for would be gigabytes. */
const mostGrowth = (isNewer ? 200 : 50) * megabyte;
let server: RunningProcess;
let dir: string;
const sockets: Socket[] = [];

async function start(...flags: string[]): Promise<void> {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-connections-'));
  server = await startServeProcess(
    ['--content', packageFile('content', 'sample'), '--data', join(dir, 'data'), ...flags],
    { env: { NODE_OPTIONS: garbageLimit } },
  );
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.child.kill('SIGKILL');
  await server.finished;
  await rm(dir, { recursive: true, force: true });
});

async function createSessions(count: number): Promise<void> {
  for (let made = 0; made < count; made += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () => send(server.port, { method: 'POST', path: '/api/sessions' })),
    );
  }
}

/** The most memory the process has had since `forgetPeak`, in bytes. */
async function readPeak(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
const forgetPeak = () => writeFile(`/proc/${server.child.pid}/clear_refs`, '5');

/**
 * Brings the process to the size that it has in daily use, connections come and gone included: its heap grows to that for
 * anybody, and growth is then what the attack costs.
 */
async function settle(): Promise<number> {
  for (let asked = 0; asked < 200; asked += 1) await send(server.port, { path: '/api/sessions' });
  for (let round = 0; round < 60; round += 1) {
    await Promise.all(Array.from({ length: 50 }, () => isServed(1)));
  }
  await wait(200);
  await forgetPeak();
  return readPeak();
}

function open(localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** Another client, on a connection of its own for each question. */
async function isServed(times = 10): Promise<void> {
  for (let asked = 0; asked < times; asked += 1) {
    const answer = await sendRaw(server.port, [
      'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\nOK$/);
  }
}

const list = 'GET /api/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n';
const lastList = 'GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test.runIf(canReadMemory)(
  '200 lists requested in one write, and 50 on each of 100 connections that read nothing, keep nobody waiting',
  async () => {
    await start();
    await createSessions(2_000);
    const before = await settle();
    const socket = open();
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += chunk.toString('latin1').split('{"sessions":').length - 1;
    });
    socket.write(list.repeat(199) + lastList);
    await isServed();
    await once(socket, 'close');
    // A piece of the network may end inside the mark, so a few may be missed.
    expect(answers).toBeGreaterThan(190);
    for (let count = 0; count < 100; count += 1) open().pause().write(list.repeat(50));
    await isServed(20);
    await wait(2_000);
    await isServed();
    expect((await readPeak()) - before).toBeLessThan(mostGrowth);
  },
);

test.runIf(mostWaiting >= 2_000)(
  'a burst of 1,500 connections to a busy server makes no client reconnect',
  async () => {
    await start();
    server.child.kill('SIGSTOP');
    const burst = Array.from({ length: 1_500 }, () => open());
    // The system takes them for a server that does not look: one that it drops connects when its client tries again.
    await Promise.all(burst.map((socket) => once(socket, 'connect')));
    server.child.kill('SIGCONT');
    await isServed();
  },
);

test.runIf(canReadMemory)(
  '10,000 connections from one address leave room for others and cost little memory',
  async () => {
    await start('--max-connections-per-client', '200');
    const before = await settle();
    const held: Socket[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      const some = Array.from({ length: 500 }, () => open('127.0.0.2'));
      held.push(...some);
      await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => {})));
      for (const socket of some) socket.write('\r\n');
      await isServed(1);
    }
    for (const socket of held) socket.resume();
    await expect
      .poll(() => held.filter(({ destroyed }) => !destroyed).length, { timeout: 120_000 })
      .toBeLessThanOrEqual(200);
    await isServed();
    expect((await readPeak()) - before).toBeLessThan(mostGrowth);
  },
);
