import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { RecordChange, Records } from '../../../src/server/stores/records/records.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';

const ttl = 100_000;
const owners = { player: `key-${'1'.repeat(64)}`, address: `address-${'2'.repeat(64)}` };
let now: number;
/** What was asked of the records since it was emptied, such as `fields owner/all`. */
let asked: string[];
let changes: (RecordChange & { readonly id: string })[];
beforeEach(() => {
  now = 1_000_000;
  asked = [];
  changes = [];
});

function openWatched(records: Records) {
  const watched: Records = {
    ...records,
    read(id, ...others) {
      asked.push(`read ${id}`);
      return records.read(id, ...others);
    },
    fields(id) {
      asked.push(`fields ${id}`);
      return records.fields(id);
    },
    commit(id, change) {
      changes.push({ id, ...change });
      return records.commit(id, change);
    },
  };
  const sessions = createSessions(watched, { limit: 9, limitPerClient: 3, ttl, clock: () => now });
  const create = (number: number) => {
    const id = createHash('md5').update(String(number)).digest('hex');
    return sessions.create(newSession(id, defaultSetup, now, owners));
  };
  return { sessions, create };
}

const sweeps = () => asked.filter((each) => each.startsWith('fields owner/')).length;

test('a player without room makes a server count the sessions again, but rarely', async () => {
  const { create } = openWatched(createMemoryRecords(() => now));
  for (const number of [1, 2, 3]) expect(await create(number)).toBe('added');
  const counts: number[] = [];
  for (const pause of [0, 0, 99, 1, 0, 50]) {
    now += pause;
    asked = [];
    expect(await create(4)).toBe('client full');
    counts.push(sweeps());
  }
  expect(counts).toEqual([1, 0, 0, 1, 0, 0]);
});

test('the number of sessions is read, not counted, until one may have expired', async () => {
  const { sessions, create } = openWatched(createMemoryRecords(() => now));
  for (const number of [1, 2]) await create(number);
  now += ttl / 100;
  expect(await sessions.count()).toBe(2);
  asked = [];
  for (let times = 0; times < 5; times += 1) {
    now += ttl / 10;
    expect(await sessions.count()).toBe(2);
  }
  expect(sweeps()).toBe(0);
  now += ttl;
  expect([await sessions.count(), sweeps()]).toEqual([0, 1]);
});

test('a list that is asked for again is read once', async () => {
  const { sessions, create } = openWatched(createMemoryRecords(() => now));
  await create(1);
  const list = () => sessions.list(owners.player, { limit: 9, after: undefined });
  asked = [];
  for (let times = 0; times < 3; times += 1) expect((await list())?.sessions).toHaveLength(1);
  expect(asked.filter((each) => each.startsWith('fields'))).toHaveLength(1);
  await create(2);
  expect((await list())?.sessions).toHaveLength(2);
});

test('forgetting a player erases its sessions from the files of all who counted them', async () => {
  const records = createMemoryRecords(() => now);
  const { sessions, create } = openWatched(records);
  await create(1);
  // Another player, so that the records of all do not go as a whole.
  await sessions.create(newSession('f'.repeat(32), defaultSetup, now, { ...owners, player: 'local' }));
  changes = [];
  await sessions.deleteAll(owners.player);
  const erased = changes.filter(({ forget }) => forget).map(({ id }) => id);
  expect(erased.sort()).toEqual(['owner/all', `owner/address.${owners.address}`].sort());
});

test('players who are forgotten at the same time share the rewriting of a file', async () => {
  const { sessions } = openWatched(createMemoryRecords(() => now));
  const players = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `key-${String(number).repeat(64)}`);
  for (const [at, player] of players.entries())
    await sessions.create(newSession(String(at).repeat(32), defaultSetup, now, { player, address: '' }));
  await Promise.all(players.slice(1).map((player) => sessions.deleteAll(player)));
  const rewritten = changes.filter(({ forget }) => forget).map(({ id }) => id);
  expect([['owner/all'], ['owner/all', 'owner/all']]).toContainEqual(rewritten);
});
