import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createBoundedRounds } from '../../../../../src/server/stores/files/rounds/bounded-rounds.ts';
import { journalPath } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-bounded-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

it('old rounds of others are removed where strangers can reach the server, and stay on a server of one’s own', async () => {
  const player = `key-${'3'.repeat(64)}`;
  const clock = () => Date.parse('2026-06-01T00:00:00Z');
  const log = createLog({ format: 'off' });
  const open = (isExposed: boolean) =>
    createBoundedRounds({ dataDir, log, isExposed, clock, roundQuota: 1e9, keepRounds: 1_000 });
  const own = open(false);
  await own.keep(player, [toUnsavedRound({ ...newJournalRound(toRoundId(1)), player })]);
  const path = journalPath(dataDir, player);
  await utimes(path, 0, 0);
  own.startCleaning()();
  await own.settle();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await open(false).history(player)).rounds).toBe(1);
  await utimes(path, 0, 0);
  const exposed = open(true);
  const stop = exposed.startCleaning();
  await expect.poll(async () => (await open(false).history(player)).rounds).toBe(0);
  stop();
});
