import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { createFileRounds } from '../../../../../src/server/stores/files/rounds/file-rounds.ts';
import { localPlayer } from '../../../../../src/server/stores/player.ts';
import { startDroppingForgotten } from '../../../../../src/server/stores/redis/rounds/forgotten-copies.ts';
import { createForgottenPlayers } from '../../../../../src/server/stores/redis/rounds/forgotten-players.ts';
import { createRedisRounds } from '../../../../../src/server/stores/redis/rounds/redis-rounds.ts';
import { createRoundRoom } from '../../../../../src/server/stores/redis/rounds/round-room.ts';
import { createRoundStreams, noBounds } from '../../../../../src/server/stores/redis/rounds/round-streams.ts';
import { createRedisSessions } from '../../../../../src/server/stores/redis/sessions/redis-sessions.ts';
import { keepUnsaved } from '../../../../../src/server/stores/round-keeping.ts';
import { newSession } from '../../../../../src/server/stores/session.ts';
import { toUnsavedRound } from '../../../../../src/server/stores/unsaved-rounds.ts';
import { defaultPractice } from '../../../../../src/typing/modes/practice.ts';
import { describeOnEveryStore } from '../../../../support/redis/every-store.ts';
import { newJournalRound, toRoundId } from '../../journal-rounds.ts';
import { describeRounds } from '../../rounds-contract.ts';

const log = createLog({ format: 'off' });
const day = 24 * 60 * 60 * 1000;
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
  type Disk = Parameters<typeof createRedisRounds>[0]['disk'];
  type Options = Partial<Parameters<typeof createRedisRounds>[0]>;
  const open = async (memory?: number, toDisk = (disk: Disk) => disk, options: Options = {}) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'typebadge-rounds-'));
    folders.push(dataDir);
    const store = await engine.connect();
    const rounds = createRedisRounds({
      streams: createRoundStreams(store, { prefix }),
      forgotten: createForgottenPlayers(store, { prefix, life: day }),
      disk: toDisk(createFileRounds({ dataDir, log })),
      bounds: () => noBounds,
      ...(memory === undefined ? {} : { memory }),
      ...options,
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

  test('saved rounds are on this server’s disk too', async () => {
    const { rounds, dataDir } = await open();
    await rounds.keep(localPlayer, [toUnsavedRound(newJournalRound(toRoundId(1)))]);
    expect((await createFileRounds({ dataDir, log }).history(localPlayer)).rounds).toBe(1);
  });

  const oneRound = [toUnsavedRound(newJournalRound(toRoundId(1)))];
  const sumOf = async ({ rounds, dataDir }: Awaited<ReturnType<typeof open>>) => ({
    shared: (await rounds.history(localPlayer)).rounds,
    disk: (await createFileRounds({ dataDir, log }).history(localPlayer)).rounds,
  });

  test('rounds read before their player was forgotten return neither to the store nor to the disk', async () => {
    const [one, other] = [await open(), await open()];
    const mark = await one.rounds.mark?.(localPlayer);
    await other.rounds.forget(localPlayer);
    await one.rounds.keep(localPlayer, oneRound, mark);
    await one.rounds.note(localPlayer, [newJournalRound(toRoundId(2))], mark);
    expect(await sumOf(one)).toEqual({ shared: 0, disk: 0 });

    await one.rounds.keep(localPlayer, oneRound, await one.rounds.mark?.(localPlayer));
    expect(await sumOf(one)).toEqual({ shared: 1, disk: 1 });
  });

  test('rounds being saved when their player is forgotten are forgotten, and later ones are not', async () => {
    const other = await open();
    const later = toUnsavedRound(newJournalRound(toRoundId(3)));
    const one = await open(undefined, (disk) => ({
      ...disk,
      async keep(player, rounds) {
        await disk.keep(player, rounds);
        if (rounds[0]?.id !== oneRound[0]?.id) return;
        await other.rounds.forget(player);
        await one.rounds.keep(player, [later]);
      },
    }));
    await one.rounds.keep(localPlayer, oneRound);
    expect(await sumOf(one)).toEqual({ shared: 1, disk: 1 });
    expect((await one.rounds.list(localPlayer, { limit: 9, after: undefined }))?.rounds[0]?.id).toBe(
      later.id,
    );
  });

  const player = `key-${'7'.repeat(64)}`;
  const roundOf = (number: number, completedAt: string) => ({
    ...newJournalRound(toRoundId(number)),
    player,
    completedAt,
  });
  const onDisk = async ({ dataDir }: { readonly dataDir: string }) =>
    (await createFileRounds({ dataDir, log }).history(player)).rounds;
  const startDropping = async (server: Awaited<ReturnType<typeof open>>, interval = 60_000) =>
    startDroppingForgotten({
      forgotten: createForgottenPlayers(await engine.connect(), { prefix, life: day }),
      drop: server.rounds.dropCopies,
      interval,
      log,
    });

  test('a player who is forgotten on one server is gone from the disk of every other, whether it runs or starts later', async () => {
    const [one, running, late] = [await open(), await open(), await open()];
    const before = toUnsavedRound(roundOf(1, new Date(Date.now() - 60_000).toISOString()));
    for (const { rounds } of [one, running, late]) await rounds.keep(player, [before]);
    await createFileRounds({ dataDir: running.dataDir, log }).keep(player, [
      toUnsavedRound(roundOf(2, '2026-01-01T00:00:00.000Z')),
    ]);
    const stop = await startDropping(running, 20);
    expect(await onDisk(running)).toBe(2);
    await one.rounds.forget(player);
    await expect.poll(() => onDisk(running), { timeout: 60_000 }).toBe(0);
    // The lock is released once the removal is on the disk, which is later.
    await expect.poll(() => readdir(join(running.dataDir, 'players', '77')), { timeout: 60_000 }).toEqual([]);
    await stop();

    const after = toUnsavedRound(roundOf(3, new Date().toISOString()));
    await late.rounds.keep(player, [after]);
    expect(await onDisk(late)).toBe(2);
    const stopLate = await startDropping(late);
    await expect.poll(() => onDisk(late), { timeout: 60_000 }).toBe(1);
    await stopLate();
    expect((await late.rounds.list(player, { limit: 9, after: undefined }))?.rounds).toMatchObject([
      { id: after.id },
    ]);
  });

  test('rounds finished long after a deletion stay on disk even if the store has lost them', async () => {
    const server = await open();
    const far = new Date(Date.now() + day).toISOString();
    const files = createFileRounds({ dataDir: server.dataDir, log });
    await files.keep(
      player,
      [1, 2].map((number) => toUnsavedRound(roundOf(number, '2026-01-01T00:00:00.000Z'))),
    );
    await files.keep(player, [toUnsavedRound(roundOf(3, far))]);
    await (await open()).rounds.forget(player);
    const stop = await startDropping(server);
    await expect.poll(() => onDisk(server), { timeout: 60_000 }).toBe(1);
    await stop();
  });

  test('a copy removed while its round is being saved exists in the end', async () => {
    const one = await open(undefined, (disk) => ({
      ...disk,
      async keep(player, rounds) {
        await disk.keep(player, rounds);
        if (isFirst) await one.rounds.dropCopies(player, Date.now());
        isFirst = false;
      },
    }));
    let isFirst = true;
    await one.rounds.keep(player, [toUnsavedRound(roundOf(1, new Date().toISOString()))]);
    expect(isFirst).toBe(false);
    expect(await onDisk(one)).toBe(1);
  });

  test('the list of forgotten players is bounded, and invented players displace nobody who had rounds', async () => {
    const store = await engine.connect();
    const forgotten = createForgottenPlayers(store, { prefix, life: day, most: 20 });
    const named = (number: number) => `key-${String(number).padStart(64, '0')}`;
    await forgotten.note(player, true);
    for (let number = 0; number < 100; number++) await forgotten.note(named(number), false);
    const { players, isFull } = await forgotten.read(0);
    expect([players.length, isFull]).toEqual([10, false]);
    expect(players.map((each) => each.player)).toContain(player);
    for (let number = 0; number < 100; number++) await forgotten.note(named(number), true);
    expect((await forgotten.read(0)).players).toHaveLength(20);
    expect(await forgotten.read(0)).toMatchObject({ isFull: true });
    expect(await forgotten.timeOf(player)).toBeUndefined();
    expect(await forgotten.timeOf(named(99))).toBeGreaterThan(0);
    const brief = createForgottenPlayers(store, { prefix: `${prefix}-brief`, life: 30 });
    await brief.note(player, true);
    await expect.poll(() => brief.timeOf(player), { timeout: 60_000 }).toBeUndefined();
  });

  test('deleting an invented player twice displaces nobody from the list; players who may have copies are listed', async () => {
    const store = await engine.connect();
    const forgotten = createForgottenPlayers(store, { prefix, life: day, most: 4 });
    const room = createRoundRoom(store, { prefix, quota: 1e9, life: day });
    const openFull = (toDisk: (disk: Disk) => Disk) => open(undefined, toDisk, { forgotten, room });
    const { rounds } = await openFull((disk) => disk);
    const named = (number: number) => `key-${String(number).padStart(64, '0')}`;
    const forget = async (number: number) => {
      await rounds.keep(named(number), [
        toUnsavedRound({ ...roundOf(number, new Date().toISOString()), player: named(number) }),
      ]);
      await rounds.forget(named(number));
    };
    for (const number of [1, 2, 3, 4]) await forget(number);
    const listed = async () => (await forgotten.read(0)).players.map((each) => each.player).sort();
    for (let times = 0; times < 4; times++) await rounds.forget(player);
    expect(await listed()).toEqual([1, 2, 3, 4].map(named));

    const cut = await openFull((disk) => ({
      ...disk,
      async keep(of, unsaved) {
        await disk.keep(of, unsaved);
        throw new Error('the server is killed here');
      },
    }));
    const saving = cut.rounds.keep(player, [toUnsavedRound(roundOf(9, new Date().toISOString()))]);
    await expect(saving).rejects.toThrow('killed');
    await rounds.forget(player);
    expect(await listed()).toEqual([...[2, 3, 4].map(named), player]);
    await forget(5);
    for (let times = 0; times < 4; times++) await rounds.forget(named(1));
    expect(await listed()).toEqual([...[3, 4, 5].map(named), player]);
  });

  test('a long list is read in portions, with pauses that end when the server ends', async () => {
    const forgotten = createForgottenPlayers(await engine.connect(), { prefix, life: day });
    const named = (number: number) => `key-${String(number).padStart(64, '0')}`;
    for (let number = 0; number < 1_200; number++) await forgotten.note(named(number), true);
    const dropping = (pause: number) => {
      const dropped = new Set<string>();
      const drop = async (each: string) => void dropped.add(each);
      return { dropped, stop: startDroppingForgotten({ forgotten, drop, pause, log }) };
    };
    const slow = dropping(24 * 60 * 60_000);
    await expect.poll(() => slow.dropped.size, { timeout: 60_000 }).toBe(1_000);
    await slow.stop();
    expect(slow.dropped.size).toBe(1_000);
    const quick = dropping(1);
    await expect.poll(() => quick.dropped.size, { timeout: 60_000 }).toBe(1_200);
    await quick.stop();
  });

  test('rounds of a session that no longer exists are not saved', async () => {
    const { rounds } = await open();
    const store = await engine.connect();
    const sessions = createRedisSessions(store, { prefix, ttl: 60_000, limit: 9, cacheMemory: 1024 });
    const session = { ...newSession('a'.repeat(32), defaultPractice, 1_000), unsaved: oneRound };
    await sessions.create(session);
    await sessions.forget(session.player);
    await rounds.forget(session.player);
    await keepUnsaved({ sessions, rounds }, session);
    expect((await rounds.history(session.player)).rounds).toBe(0);
  });

  test('players without rounds do not take memory without end', async () => {
    const { rounds } = await open(200_000);
    const named = (number: number) => `key-${String(number).padStart(64, '0')}`;
    const first = await rounds.history(named(0));
    expect(await rounds.history(named(0))).toBe(first);
    for (let number = 1; number <= 20; number++) await rounds.history(named(number));
    expect(await rounds.history(named(0))).not.toBe(first);
  });

  test('histories that do not fit into memory are read again with the same result', async () => {
    const { rounds } = await open(1);
    const players = ['1', '2', '3'].map((digit) => `key-${digit.repeat(64)}`);
    for (const player of players) await rounds.note(player, [{ ...newJournalRound(toRoundId(1)), player }]);
    for (const player of [...players, ...players]) expect((await rounds.history(player)).rounds).toBe(1);
  });
});
