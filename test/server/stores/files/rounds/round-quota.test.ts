import { mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
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
  const quota = 20_000;
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
  let bytes = (await stat(join(dataDir, 'rounds.jsonl'))).size;
  for (const stranger of strangers)
    bytes += (await stat(join(dataDir, 'players', stranger.slice(-2), `${stranger}.jsonl`))).size;
  expect(bytes).toBeLessThanOrEqual(quota);
  expect(bytes).toBeGreaterThan(quota - 1_000);
  for (const [player, count] of kept) expect((await open(quota).history(player)).rounds).toBe(count);
});

it('there is room again after rounds were removed', async () => {
  const rounds = open(2_000);
  let number = 0;
  await expect(
    (async () => {
      for (;;) await rounds.keep(localPlayer, [round(number++)]);
    })(),
  ).rejects.toThrow(/more than the \d+ MiB on disk that --round-quota allows/);
  await truncate(join(dataDir, 'rounds.jsonl'));
  await rounds.keep(localPlayer, [round(number)]);
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
