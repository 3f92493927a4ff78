import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { createRedisRounds } from '../../../../../src/server/stores/redis/rounds/redis-rounds.ts';
import { createRoundStreams, noBounds } from '../../../../../src/server/stores/redis/rounds/round-streams.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';
import { describeRounds } from '../../rounds-contract.ts';

const log = createLog({ format: 'off' });
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describeOnEveryStore('finished rounds', (engine) => {
  let prefix = '';
  let number = 0;
  beforeEach(() => {
    prefix = `rounds-${++number}`;
  });
  afterEach(() => {
    prefix = '';
  });
  const open = async (memory?: number) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'typebadge-rounds-'));
    folders.push(dataDir);
    const rounds = createRedisRounds({
      streams: createRoundStreams(await engine.connect(), prefix),
      disk: createFileRounds({ dataDir, log }),
      bounds: () => noBounds,
      ...(memory === undefined ? {} : { memory }),
    });
    return { rounds, dataDir };
  };

  describeRounds('as the contract asks', async () => (await open()).rounds);

  test('a round that one server has noted counts on all of them', async () => {
    const [one, other] = [await open(), await open()];
    expect((await other.rounds.history(localPlayer)).rounds).toBe(0);
    await one.rounds.note(localPlayer, [newJournalRound(toRoundId(1))]);
    expect((await other.rounds.history(localPlayer)).rounds).toBe(1);
  });

  test('what is kept is on this server’s disk, too', async () => {
    const { rounds, dataDir } = await open();
    await rounds.keep(localPlayer, [toUnsavedRound(newJournalRound(toRoundId(1)))]);
    expect((await createFileRounds({ dataDir, log }).history(localPlayer)).rounds).toBe(1);
  });

  test('histories that do not fit into memory are read again, and are the same', async () => {
    const { rounds } = await open(1);
    const players = ['1', '2', '3'].map((digit) => `key-${digit.repeat(64)}`);
    for (const player of players) await rounds.note(player, [{ ...newJournalRound(toRoundId(1)), player }]);
    for (const player of [...players, ...players]) expect((await rounds.history(player)).rounds).toBe(1);
  });
});
