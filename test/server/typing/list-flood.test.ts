import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageFile } from '../../../src/kit/package-files.ts';
import { journalPath } from '../../../src/server/stores/files/rounds/file-rounds.ts';
import { toJournalLine } from '../../../src/server/stores/journal-line.ts';
import { send } from '../../support/http-client.ts';
import { type RunningProcess, startServeProcess } from '../../support/typebadge-process.ts';
import { newJournalRound, toRoundId } from '../stores/journal-rounds.ts';

// Lists of long rounds, asked for by many clients at once, at a server whose heap has no room for all of them together.

let dir: string;
let server: RunningProcess;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-lists-'));
  await writeLongRounds();
  server = await startServeProcess(
    ['--data', dir, '--content', packageFile('content'), '--trust-proxy', '127.0.0.1'],
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
  const path = journalPath(dir, player);
  await mkdir(dirname(path), { recursive: true });
  const round = newJournalRound(toRoundId(1), ['x'.repeat(9_900)]);
  const keys = [...'x'.repeat(9_900), ...'y\b'.repeat(5_000), ' '];
  const line = toJournalLine({ ...round, player, keys, seekTimes: keys.map(() => 1) });
  const lines = Array.from({ length: 45 }, (_, at) => line.replace(toRoundId(1), toRoundId(at + 1)));
  await writeFile(path, `${lines.join('\n')}\n`);
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
