import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../../src/server/stores/player.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { RecordChange, Records } from '../../../src/server/stores/records/records.ts';
import { defaultSetup, newSession } from '../../../src/server/stores/session.ts';
import { createSessions } from '../../../src/server/stores/sessions.ts';

const ttl = 100_000;
const owners = { player: `key-${'1'.repeat(64)}`, address: `address-${'2'.repeat(64)}` };
let now: number;
/** What was asked of the records since it was emptied, such as `fields owner/all`. */
let asked: string[];
/** What was changed in the records since it was emptied. */
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
  const create = (number: number, caller: Caller = owners) =>
    sessions.create(newSession(idOf(number), defaultSetup, now, caller));
  return { sessions, create };
}

const idOf = (number: number) => createHash('md5').update(String(number)).digest('hex');
const keyOf = (number: number) => `key-${String(number).padStart(64, '0')}`;
const sweeps = () => asked.filter((each) => each.startsWith('fields owner/')).length;

test('a player without room makes a server count the sessions again, but rarely', async () => {
  const { create } = openWatched(createMemoryRecords(() => now));
  for (const number of [1, 2, 3]) expect(await create(number)).toBe('added');
  const counts: number[] = [];
  for (const pause of [0, 0, 99, 1, 0, 50]) {
    now += pause;
    [asked, changes] = [[], []];
    expect(await create(4)).toBe('client full');
    counts.push(sweeps());
    // It is not tried again if nothing has come of it.
    expect(changes.filter(({ add }) => add !== undefined)).toHaveLength(1);
  }
  expect(counts).toEqual([1, 0, 0, 1, 0, 0]);
});

test('the number of sessions is read, not counted, until one may have expired', async () => {
  const { sessions, create } = openWatched(createMemoryRecords(() => now));
  for (const number of [1, 2]) await create(number);
  expect([await sessions.count(), sweeps()]).toEqual([2, 0]);
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

test('a server that starts soon counts the sessions of earlier ones, and again when the next may expire', async () => {
  const records = createMemoryRecords(() => now);
  const { create } = openWatched(records);
  await create(1);
  now += ttl / 2;
  await create(2);
  const { sessions } = openWatched(records);
  const counts: number[][] = [];
  for (const pause of [0, ttl / 100 - 1, 1, 0.49 * ttl - 1, 1, ttl / 2 - 1, 1]) {
    now += pause;
    asked = [];
    counts.push([await sessions.count(), sweeps()]);
  }
  expect(counts).toEqual([
    [2, 0],
    [2, 0],
    [2, 1],
    [2, 0],
    [1, 1],
    [1, 0],
    [0, 1],
  ]);
});

test('counting the sessions of one player does not put off counting those of all', async () => {
  const { sessions, create } = openWatched(createMemoryRecords(() => now));
  await create(1);
  now += ttl / 2;
  const other = { player: keyOf(2), address: '' };
  for (const number of [2, 3, 4]) await create(number, other);
  expect(await create(5, other)).toBe('client full');
  now += ttl / 2;
  expect(await sessions.count()).toBe(3);
});

test('clients that belong to no block are not limited as one', async () => {
  const records = createMemoryRecords(() => now);
  const sessions = createSessions(records, { limit: 99, limitPerClient: 1, ttl, clock: () => now });
  for (let number = 1; number <= 20; number += 1) {
    const caller = { player: keyOf(number), address: '' };
    expect(await sessions.create(newSession(idOf(number), defaultSetup, now, caller))).toBe('added');
  }
});

test('cleaning changes only what expired sessions have left, nothing of rounds and open sessions', async () => {
  const records = createMemoryRecords(() => now);
  const { sessions, create } = openWatched(records);
  const put = { bytes: '1', epoch: 'e' };
  await records.commit(`rounds/${owners.player}`, { put, push: ['a round'] });
  await create(1);
  now += ttl;
  await create(2);
  changes = [];
  await sessions.clean();
  expect(changes.map(({ id, remove }) => [id.split('/')[0], remove])).toEqual(
    Array(3).fill(['owner', [idOf(1)]]),
  );
  expect(await records.fields(`rounds/${owners.player}`)).toEqual(new Map(Object.entries(put)));
});

test('while many sessions are counted, something else is done now and then', async () => {
  const records = createMemoryRecords(() => now);
  const sessions = createSessions(records, { limit: 999, limitPerClient: 999, ttl, clock: () => now });
  for (let number = 1; number <= 200; number += 1)
    await sessions.create(newSession(idOf(number), defaultSetup, now));
  now += ttl / 100;
  let [turns, isOver] = [0, false];
  const takeTurn = () => {
    turns += 1;
    if (!isOver) setImmediate(takeTurn);
  };
  takeTurn();
  expect(await sessions.count()).toBe(200);
  isOver = true;
  expect([turns >= 4, turns < 10]).toEqual([true, true]);
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
  const rivals = new Set<string>();
  const erased: string[] = [];
  const commit = async (id: string, change: RecordChange) => {
    // Another server changes it just before, once.
    if (change.forget && rivals.size < rivals.add(id).size) await records.commit(id, {});
    const done = await records.commit(id, change);
    if (change.forget && 'version' in done) erased.push(id);
    return done;
  };
  const removed: string[] = [];
  const remove = async (id: string) => {
    removed.push(id);
    await records.remove(id);
  };
  const { sessions, create } = openWatched({ ...records, commit, remove });
  await create(1);
  // Another player, so that the records of all do not go as a whole.
  await create(2, { ...owners, player: 'local' });
  await sessions.deleteAll(owners.player);
  expect(removed).toEqual([`session/${idOf(1)}`]);
  expect(erased.sort()).toEqual(['owner/all', `owner/address.${owners.address}`].sort());
});

test('forgetting waits for an earlier rewriting of a file, unless there is nothing left in it', async () => {
  const records = createMemoryRecords(() => now);
  const { sessions, create } = openWatched(records);
  for (const number of [1, 2, 3]) await create(number, { player: keyOf(number), address: '' });
  await sessions.deleteAll(keyOf(1));
  const order: string[] = [];
  const waiting = sessions.deleteAll(keyOf(2)).then(() => order.push('waited'));
  while ((await records.read(`owner/player.${keyOf(2)}`)).version !== '') await nextTurn();
  expect(await sessions.delete(idOf(3))).toBe(true);
  await sessions.deleteAll(keyOf(3)).then(() => order.push('at once'));
  await waiting;
  expect(order).toEqual(['at once', 'waited']);
  const left: string[] = [];
  for await (const id of records.ids('')) left.push(id);
  expect(left).toEqual([]);
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
