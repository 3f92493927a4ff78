import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTrustProxy } from '../../../src/server/settings/config-parsers.ts';
import { journalPath } from '../../../src/server/stores/files/rounds/file-rounds.ts';
import { toJournalLine } from '../../../src/server/stores/journal-line.ts';
import { send } from '../../support/http-client.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { newJournalRound, toRoundId } from '../stores/journal-rounds.ts';

let dir: string;
let server: TestServer;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-reading-'));
  // One token in two hours: what is paid stays visible.
  server = await startTestServer({
    data: dir,
    trustProxy: parseTrustProxy('127.0.0.1'),
    apiLimit: { rate: 1 / 7200, burst: 20 },
  });
});
afterEach(async () => {
  await server.close();
  await rm(dir, { recursive: true, force: true });
});

const keyOf = (name: string) => name.padEnd(30, 'x');

/** Rounds saved long ago: nothing of them is in memory. */
async function writeRounds(name: string, count: number): Promise<void> {
  const player = `key-${createHash('sha256').update(keyOf(name)).digest('hex')}`;
  const words = Array.from({ length: 30 }, () => 'practice');
  const line = toJournalLine({ ...newJournalRound(toRoundId(1), words), player });
  const path = journalPath(dir, player);
  await mkdir(dirname(path), { recursive: true });
  const lines = Array.from({ length: count }, (_, at) => line.replace(toRoundId(1), toRoundId(at + 1)));
  await appendFile(path, `${lines.join('\n')}\n`);
}

async function list(name: string, client: string) {
  const headers = { Authorization: `Bearer ${keyOf(name)}`, 'X-Forwarded-For': client };
  const { status } = await send(server.port, { path: '/api/rounds?limit=1', headers });
  return status;
}

it('a history that has to be read costs tokens by its length, once', async () => {
  await writeRounds('long', 200);
  expect(await list('long', '192.0.2.1')).toBe(200);
  // Read with a debt of more than the 19 tokens that were left.
  expect(await list('long', '192.0.2.1')).toBe(429);
  expect(await list('short', '192.0.2.1')).toBe(429);
  // Now it is in memory for everybody.
  for (let times = 0; times < 20; times += 1) expect(await list('long', '192.0.2.2')).toBe(200);
});

it('a short history costs no more than the request', async () => {
  await writeRounds('short', 5);
  for (let times = 0; times < 20; times += 1) expect(await list('short', '192.0.2.3')).toBe(200);
  expect(await list('short', '192.0.2.3')).toBe(429);
});

it('others at the same address do not wait for a body that does not arrive', async () => {
  await writeRounds('slow', 200);
  await writeRounds('other', 200);
  const headers = { Authorization: `Bearer ${keyOf('slow')}`, 'X-Forwarded-For': '192.0.2.5' };
  const sending = connect(server.port, '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  sending.write(
    `POST /api/rounds HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  await once(sending, 'connect');
  await sleep(100);
  let isAnswered = false;
  sending.once('data', () => {
    isAnswered = true;
  });
  expect(await list('other', '192.0.2.5')).toBe(200);
  expect(isAnswered).toBe(false);
  sending.destroy();
});

it('a client has one history read at a time, and further ones only after paying', async () => {
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) await writeRounds(name, 200);
  const statuses = await Promise.all(names.map((name) => list(name, '192.0.2.4')));
  expect(statuses.sort()).toEqual([200, 429, 429, 429]);
});
