import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds, journalPath } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { limitRounds } from '../../../../../src/server/stores/files/rounds/round-quota.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { RoundsNotKeptError } from '../../../../../src/server/stores/ports.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { startTestServer } from '../../../../support/test-server.ts';
import { createTypingClient, playRound } from '../../../../support/typing-client.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'typebadge-quota-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const log = createLog({ format: 'off' });
const open = (quota: number) =>
  limitRounds(createFileRounds({ dataDir, log }), { dataDir, quota, patience: 0 });
const round = (number: number) => toUnsavedRound(newJournalRound(toRoundId(number)));

it('all players together get no more disk space than the quota, and saved rounds stay', async () => {
  const quota = 80_000;
  const strangers = ['1', '2'].map((digit) => `key-${digit.repeat(64)}`);
  const players = [localPlayer, ...strangers];
  const kept = new Map(players.map((player) => [player, 0]));
  let refusals = 0;
  // Opened again and again, as by one server after the other.
  for (let number = 0; refusals < 12; number++) {
    const rounds = open(quota);
    const player = players[number % players.length] as string;
    try {
      await rounds.keep(player, [round(number)]);
      kept.set(player, (kept.get(player) ?? 0) + 1);
    } catch (error) {
      expect(error).toBeInstanceOf(RoundsNotKeptError);
      refusals++;
    }
  }
  const paths = players.map((player) => journalPath(dataDir, player));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const bytes = sizes.reduce((sum, size) => sum + Math.ceil(size / 4_096) * 4_096, 0);
  expect(bytes).toBeLessThanOrEqual(quota);
  expect(bytes).toBeGreaterThan(quota - 4_096);
  for (const [player, count] of kept) expect((await open(quota).history(player)).rounds).toBe(count);
});

it('a round of a new player counts as much as its file takes on disk', async () => {
  const rounds = open(40_960);
  const newPlayer = (number: number) => `key-${number.toString(16).padStart(64, '0')}`;
  for (let number = 0; number < 10; number++) await rounds.keep(newPlayer(number), [round(number)]);
  await expect(rounds.keep(newPlayer(10), [round(10)])).rejects.toThrow(RoundsNotKeptError);
  await rounds.keep(newPlayer(3), [round(11)]);
});

it('a save does not wait until a folder with many players is measured, and then each of them counts', async () => {
  const folder = join(dataDir, 'players', '00');
  await mkdir(folder, { recursive: true });
  for (let number = 0; number < 3_000; number++) writeFileSync(join(folder, `${number}.jsonl`), 'x');
  const rounds = limitRounds(createFileRounds({ dataDir, log }), {
    dataDir,
    quota: 3_001 * 4_096,
    longestWait: 0,
  });
  const stranger = `key-${'0'.repeat(64)}`;
  await rounds.keep(localPlayer, [round(0)]);
  let number = 1;
  await expect
    .poll(() => rounds.keep(stranger, [round(number++)]).then(() => 'kept', String), { timeout: 30_000 })
    .toContain('more than the 12 MiB');
  expect((await rounds.history(localPlayer)).rounds).toBe(1);
}, 60_000);

it('there is room again after rounds were removed', async () => {
  const rounds = open(8_192);
  let number = 0;
  await expect(
    (async () => {
      for (;;) await rounds.keep(localPlayer, [round(number++)]);
    })(),
  ).rejects.toThrow(/more than the \d+ MiB on disk that --round-quota allows/);
  await truncate(join(dataDir, 'rounds.jsonl'));
  await rounds.keep(localPlayer, [round(number)]);
});

it('refused saves do not each measure the folder again', async () => {
  const folder = createFileRounds({ dataDir, log });
  const rounds = limitRounds(folder, { dataDir, quota: 8_192, patience: 3_600_000 });
  let number = 0;
  const fill = async () => {
    for (;;) await rounds.keep(localPlayer, [round(number++)]);
  };
  await expect(fill()).rejects.toThrow(RoundsNotKeptError);
  await truncate(join(dataDir, 'rounds.jsonl'));
  await expect(rounds.keep(localPlayer, [round(number)])).rejects.toThrow(RoundsNotKeptError);
});

it('a save beyond the quota is 500, loses nothing, and succeeds with a larger one', async () => {
  const small = await startTestServer({ data: dataDir, roundQuota: 10_000 });
  const client = createTypingClient(small.port);
  const id = await client.createSession();
  let played = 0;
  let answer: { status: number; body: unknown } = { status: 200, body: undefined };
  while (answer.status === 200) {
    await playRound(client, id);
    played++;
    answer = await client.call('POST', `/sessions/${id}/save`);
  }
  expect(answer).toEqual({
    status: 500,
    body: { code: 'INTERNAL_ERROR', error: expect.stringContaining('stay in memory') },
  });
  expect(played).toBeGreaterThan(2);
  expect((await client.history(id)).total_sessions).toBe(played);
  await small.close();

  const large = await startTestServer({ data: dataDir });
  const again = createTypingClient(large.port);
  expect((await again.history(id)).total_sessions).toBe(played);
  expect(await again.save(id)).toEqual({ success: true });
  await large.close();
  const lines = (await readFile(join(dataDir, 'rounds.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '');
  expect(lines).toHaveLength(played);
});
