import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openFileStores, type StoresOptions, storesOn } from '../../../src/server/stores/open-stores.ts';
import { maxCounters, type Pulse, startSaving } from '../../../src/server/stores/pulse.ts';
import { createFileRecords, recordsFolder } from '../../../src/server/stores/records/file-records.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { outboxName } from '../../../src/server/stores/shared-text.ts';
import { click } from './pulse-contract.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

const [minute, day] = [60_000, 24 * 60 * 60_000];
const stranger = { player: `key-${'1'.repeat(64)}`, address: `address-${'2'.repeat(64)}` };
let told: string[];
let now: number;

beforeEach(() => {
  told = [];
  now = Date.UTC(2026, 0, 10);
});
afterEach(() => {
  vi.useRealTimers();
});

function optionsOf(changed: Partial<StoresOptions> = {}): StoresOptions {
  const tell = (message: string) => told.push(message);
  return {
    ...{ dataDir: '', contentDir: '', sessionTtl: 1_000, maxSessions: 100, roundQuota: 1e9 },
    ...{ log: { info: tell, warn: tell, error: tell }, clock: () => now },
    ...changed,
  };
}

async function idsOf(records: Records): Promise<string[]> {
  const found: string[] = [];
  for await (const id of records.ids('')) found.push(id);
  return found;
}

test('what has expired leaves the lists of its owners ten minutes after the start, and then daily, also after a failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const records = createMemoryRecords(() => now);
  let isAway = true;
  const ids = (prefix: string) => {
    if (isAway) throw new Error('the store is away');
    return records.ids(prefix);
  };
  const { sessions } = storesOn({ ...records, ids }, optionsOf());
  const leave = async (id: string) => {
    await sessions.create(newSession(id.repeat(32), defaultSetup, now, stranger));
    now += 10 * minute;
  };
  await leave('a');
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(told).toEqual([expect.stringMatching(/expired data could not be removed.*the store is away$/)]);
  isAway = false;
  expect(await idsOf(records)).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(day - 1);
  expect(await idsOf(records)).toHaveLength(3);
  for (const id of ['b', 'c']) {
    await vi.advanceTimersByTimeAsync(1);
    expect(await idsOf(records)).toEqual([]);
    await leave(id);
    await vi.advanceTimersByTimeAsync(day - 1);
    expect(await idsOf(records)).toHaveLength(3);
  }
  expect(told).toHaveLength(1);
});

test.each([true, false])(
  'strangers are limited on a server that they can reach, and nobody on another: %s',
  async (isExposed) => {
    const records = createMemoryRecords(() => now);
    const stores = storesOn(records, optionsOf({ isExposed, maxSessionsPerClient: 2, keepRounds: 5 * day }));
    const admissions = [];
    for (const id of 'abc')
      admissions.push(await stores.sessions.create(newSession(id.repeat(32), defaultSetup, now, stranger)));
    expect(admissions).toEqual(['added', 'added', isExposed ? 'client full' : 'added']);
    await stores.rounds.add(stranger.player, {
      ...newStoredRound(toRoundId(1)),
      completedAt: new Date(now).toISOString(),
    });
    now += 20 * day;
    expect((await stores.rounds.history(stranger.player)).rounds).toBe(isExposed ? 0 : 1);
  },
);

test('of the kinds of a player’s rounds, 64 are told apart on an exposed server, and elsewhere all', async () => {
  const toldApart = async (isExposed: boolean) => {
    const { rounds } = storesOn(createMemoryRecords(), optionsOf({ isExposed }));
    for (let number = 1; number <= 70; number += 1)
      await rounds.add(stranger.player, {
        ...newStoredRound(toRoundId(number)),
        mode: `words-${100 + number}`,
      });
    const { chapters } = await rounds.history(stranger.player);
    return Object.values(chapters).filter(({ mode }) => mode.startsWith('words')).length;
  };
  expect([await toldApart(true), await toldApart(false)]).toEqual([64, 70]);
});

test('counters are saved every few seconds until that is stopped, and when the stores are closed', async () => {
  const records = createMemoryRecords();
  let isClosed = false;
  const close = async () => {
    isClosed = true;
  };
  const stores = storesOn({ ...records, close }, optionsOf());
  const savedCount = async () => (await stores.pulse.read(click.day))[0]?.count;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let saving: ReturnType<Pulse['save']> | undefined;
  const stop = startSaving({
    save() {
      saving = stores.pulse.save();
      return saving;
    },
  });
  for (const count of [1, 2]) {
    stores.pulse.count(click);
    vi.advanceTimersByTime(10_000);
    await saving;
    expect(await savedCount()).toBe(count);
  }
  stop();
  stores.pulse.count(click);
  vi.advanceTimersByTime(60_000);
  await saving;
  expect(await savedCount()).toBe(2);
  await stores.close();
  expect([await savedCount(), isClosed]).toEqual([3, true]);
});

test('what is counted while very many counters are being saved is not lost', async () => {
  const records = createMemoryRecords();
  let whileSaving: () => void = () => pulse.count(click);
  const commit: Records['commit'] = (...change) => {
    whileSaving();
    whileSaving = () => {};
    return records.commit(...change);
  };
  const { pulse } = storesOn({ ...records, commit }, optionsOf());
  for (let number = 0; number <= maxCounters / 2; number += 1)
    pulse.count({ ...click, site: `${number}.example` });
  for (let times = 0; times < 3; times += 1) await pulse.save();
  const counts = await pulse.read(click.day);
  expect(counts.find(({ site }) => site === click.site)?.count).toBe(1);
  expect(counts).toHaveLength(maxCounters / 2 + 2);
});

test('counters that cannot be saved are told about once for each failure, and at the end they are lost', async () => {
  const records = createMemoryRecords();
  let isFull = true;
  const commit: Records['commit'] = (...change) => {
    if (!isFull) return records.commit(...change);
    pulse.count({ ...click, site: 'meanwhile.example' });
    return Promise.reject(new Error('no room'));
  };
  const { pulse, close } = storesOn({ ...records, commit }, optionsOf());
  const fail = async () => {
    pulse.count(click);
    for (let times = 0; times < 2; times += 1) expect(await pulse.save()).toBe('not saved');
  };
  const problem = expect.stringMatching(/counters could not be saved.*no room$/);
  await fail();
  expect(told).toEqual([problem]);
  isFull = false;
  expect(await pulse.save()).toBe('saved');
  expect((await pulse.read(click.day)).map(({ count }) => count)).toEqual([1, 2]);
  isFull = true;
  await fail();
  expect(told).toEqual([problem, problem]);
  await expect(close()).rejects.toThrow('they are lost');
});

test('a data folder that cannot be used is named with the reason; one on this machine needs no secret', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-open-'));
  await mkdir(join(dir, 'other'));
  for (const [file, dataDir, reason] of [
    ['a.file', 'a.file', /cannot be used: .*a\.file'\. Choose another with --data\.$/],
    [
      'other/records',
      'other',
      /^The data folder \S+\/other cannot be used: .*: not a directory\. Choose another/,
    ],
  ] as const) {
    await writeFile(join(dir, file), '');
    const opening = openFileStores(optionsOf({ dataDir: join(dir, dataDir), isExposed: true }));
    await expect(opening).rejects.toThrow(reason);
  }
  expect(told.splice(0)).toEqual([expect.stringContaining('not a directory')]);
  for (const [isExposed, secret] of [
    [true, /^[0-9a-f]{64}$/],
    [false, /^$/],
  ] as const) {
    const stores = await openFileStores(
      optionsOf({ dataDir: dir, contentDir: join(dir, 'content'), isExposed }),
    );
    expect(stores.addressKey).toMatch(secret);
    expect(stores.problem()).toBeUndefined();
    // Closing saves it.
    stores.pulse.count(click);
    expect(await stores.pulse.read(click.day)).toHaveLength(isExposed ? 0 : 1);
    await stores.close();
  }
  expect(told).toEqual([]);
  // A later version finds it by this name.
  expect(outboxName('/content')).toBe('webhooks-e91f3f50dac3f29e');
  await rm(dir, { recursive: true });
});

test('a server removes what has expired from the disk a minute after its start and every hour, other programs never', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout'] });
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-sweep-'));
  const records = createFileRecords({ dir: recordsFolder(dir), clock: () => now });
  const filesLeft = async () => {
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    return (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('b.1')).length;
  };
  const expire = async (pause: number) => {
    await records.commit('a/b', { put: { a: '1' }, ttl: 10 });
    now += 10;
    vi.advanceTimersByTime(pause - 1);
    expect(await filesLeft()).toBe(1);
    vi.advanceTimersByTime(1);
  };
  await expire(2 * day);
  expect(await filesLeft()).toBe(1);
  const stores = await openFileStores(optionsOf({ dataDir: dir, contentDir: join(dir, 'content') }));
  for (const pause of [minute, 59 * minute, 60 * minute]) {
    await expire(pause);
    while ((await filesLeft()) > 0); // until the sweep, which waits for the disk, is done
  }
  await stores.close();
  await expire(60 * minute);
  expect(await filesLeft()).toBe(1);
  await rm(dir, { recursive: true });
});

test('rounds go by the earliest clock of a server, sessions by its own', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-clocks-'));
  const age = 5 * day;
  const options = { dataDir: dir, contentDir: join(dir, 'content'), isExposed: true, keepRounds: age };
  const stores = await openFileStores(optionsOf({ ...options, earliest: () => now - 2 * day }));
  const session = newSession('a'.repeat(32), defaultSetup, now, stranger);
  await stores.sessions.create(session);
  await stores.rounds.add(stranger.player, {
    ...newStoredRound(toRoundId(1)),
    completedAt: new Date(now).toISOString(),
  });
  now += 1_000;
  expect(await stores.sessions.read(session.id)).toBeUndefined();
  for (const rounds of [1, 0]) {
    now += age + day;
    expect((await stores.rounds.history(stranger.player)).rounds).toBe(rounds);
  }
  await stores.close();
  await rm(dir, { recursive: true });
});

test('a damaged file of a data folder is named in the log, once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-damage-'));
  const records = createFileRecords({ dir: recordsFolder(dir) });
  await records.commit('rounds/local', { push: ['something'] });
  await records.close();
  const [path = ''] = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.1'));
  await writeFile(join(dir, path), 'nothing that was written by it\n');
  const stores = await openFileStores(optionsOf({ dataDir: dir, contentDir: join(dir, 'content') }));
  for (const _ of [1, 2]) expect((await stores.rounds.history('local')).rounds).toBe(0);
  expect(told).toEqual([expect.stringContaining(path)]);
  await stores.close();
  await rm(dir, { recursive: true });
});
