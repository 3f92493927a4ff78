import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageFile } from '../../../src/kit/package-files.ts';
import { send } from '../../support/http-client.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { newStoredRound, toRoundId, withRounds } from '../stores/stored-rounds.ts';

// Lists of long rounds, asked for by many clients at once, at a server whose heap has no room for all of them together.

let dir: string;
let server: RunningProcess;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-lists-'));
  await writeLongRounds();
  server = await startServeProcess(
    ['--data', dir, '--content', packageFile('content', 'sample'), '--trust-proxy', '127.0.0.1'],
    { env: { NODE_OPTIONS: '--max-old-space-size=256' } },
  );
});
afterEach(async () => {
  const gone = once(server.child, 'exit');
  if (server.child.kill('SIGKILL')) await gone;
  await rm(dir, { recursive: true, force: true });
});

const key = 'k'.repeat(40);

/** Rounds with as many letters, and twice as many keys, as a text may have. */
async function writeLongRounds(): Promise<void> {
  const player = `key-${createHash('sha256').update(key).digest('hex')}`;
  const keys = [...'x'.repeat(9_900), ...'y\b'.repeat(5_000), ' '];
  await withRounds(dir, async (rounds) => {
    for (let at = 1; at <= 45; at += 1) {
      const round = newStoredRound(toRoundId(at), ['x'.repeat(9_900)]);
      await rounds.add(player, { ...round, keys, seekTimes: keys.map(() => 1) });
    }
  });
}

async function list(client: number) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': `198.18.${client >> 8}.${client & 255}`,
  };
  const { status, body } = await send(server.port, { path: '/api/rounds?limit=1000', headers });
  return [status, JSON.parse(body.toString()).rounds.length];
}

it('long rounds are listed for few clients at once, and the server goes on', async () => {
  const lists = Promise.all(Array.from({ length: 300 }, (_, client) => list(client)));
  const answers = await lists;
  const [first] = answers;
  expect(first?.[0]).toBe(200);
  expect(first?.[1]).toBeGreaterThan(0);
  for (const answer of answers) expect(answer).toEqual(first);
  expect((await send(server.port, { path: '/health' })).status).toBe(200);
}, 120_000);
