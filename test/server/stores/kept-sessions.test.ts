import { expect, test } from 'vitest';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import {
  type RecordChange,
  type Records,
  StoreUnavailableError,
} from '../../../src/server/stores/records/records.ts';
import { defaultSetup, newRoundId, newSession, type Session } from '../../../src/server/stores/session.ts';
import { createSessions, type Sessions } from '../../../src/server/stores/sessions.ts';
import { newRound } from '../../../src/typing/round.ts';

const ttl = 100_000;
const player = `key-${'1'.repeat(64)}`;
const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
let now = 1_000_000;
const open = (records: Records) =>
  createSessions(records, { limit: 99, limitPerClient: 99, ttl, clock: () => now });
const session = (id: string, owner = player): Session =>
  newSession(id, defaultSetup, now, {
    player: owner,
    address: owner.startsWith('address-') ? owner : '',
  });
const increment = ({ roundCount, ...others }: Session) => ({
  session: { ...others, roundCount: roundCount + 1 },
  result: roundCount,
});

test('of sessions with many keys a process keeps only some in memory', async () => {
  const sessions = open(createMemoryRecords(() => now));
  const round = { ...newRound('r', ['short']), inputs: 'x'.repeat(200_000) };
  const ids = Array.from({ length: 30 }, (_, at) => String(at).padStart(32, '0'));
  for (const id of ids) await sessions.create({ ...session(id), round });
  const cached = ids.filter(sessions.isCached).length;
  expect([cached > 5, cached < 25]).toEqual([true, true]);
});

test('a use soon after another one writes nothing if it changes nothing', async () => {
  const records = createMemoryRecords(() => now);
  let commits = 0;
  const commit = (id: string, change: RecordChange) => {
    commits += 1;
    return records.commit(id, change);
  };
  const sessions = open({ ...records, commit });
  await sessions.create(session(a));
  commits = 0;
  now += 50;
  expect(await sessions.read(a)).toEqual(
    await sessions.update(a, (same) => ({ session: same, result: same })),
  );
  expect(commits).toBe(0);
});

test('a change whose reply was lost is an error, and was made once', async () => {
  const records = createMemoryRecords(() => now);
  let isLost = false;
  const commit = async (id: string, change: RecordChange) => {
    const done = await records.commit(id, change);
    if (isLost) throw new StoreUnavailableError('The store does not answer in time.');
    return done;
  };
  const sessions = open({ ...records, commit });
  await sessions.create(session(a));
  isLost = true;
  await expect(sessions.update(a, increment)).rejects.toThrow('in time');
  isLost = false;
  expect(await sessions.update(a, increment)).toBe(1);
});

test('a session that was written twice, because an engine tried again, is read before it is changed', async () => {
  const records = createMemoryRecords(() => now);
  const commit = async (id: string, change: RecordChange) => {
    if (id === `session/${a}` && change.if === '') await records.commit(id, change);
    return records.commit(id, change);
  };
  const sessions = open({ ...records, commit });
  expect(await sessions.create(session(a))).toBe('added');
  expect(sessions.isCached(a)).toBe(false);
  expect([await sessions.update(a, increment), await sessions.update(a, increment)]).toEqual([0, 1]);
});

test('a change that another server makes while a session is renewed is not lost', async () => {
  const records = createMemoryRecords(() => now);
  const rival = open(records);
  let rivals = 0;
  const commit = async (id: string, change: RecordChange) => {
    if (change.put?.used !== undefined && rivals-- > 0) await rival.update(a, increment);
    return records.commit(id, change);
  };
  const sessions = open({ ...records, commit });
  await sessions.create(session(a));
  now += 200;
  rivals = 1;
  expect((await sessions.read(a))?.roundCount).toBe(0);
  expect(await sessions.update(a, increment)).toBe(1);
  expect((await rival.read(a))?.roundCount).toBe(2);
});

test('a use that is not written down is not forgotten when another server changes the session', async () => {
  const records = createMemoryRecords(() => now);
  const [sessions, other] = [open(records), open(records)];
  await sessions.create(session(a));
  now += 50;
  await sessions.read(a);
  const lastUseIn = async (store: Sessions) =>
    (await store.list(player, { limit: 9, after: undefined }))?.sessions[0]?.lastUsed;
  expect([await lastUseIn(sessions), await lastUseIn(other)]).toEqual([now, now - 50]);
  now += 10;
  await other.update(a, increment);
  expect(await sessions.read(a, () => false)).toBeUndefined();
  expect(await lastUseIn(sessions)).toBe(now - 10);
});

test('whether a round is being typed is looked up in its own session, whatever became of that', async () => {
  const records = createMemoryRecords(() => now);
  let outages: string[] = [];
  const read: Records['read'] = async (id, ...others) => {
    if (outages.includes(id)) throw new StoreUnavailableError('The store is away.');
    return records.read(id, ...others);
  };
  const sessions = open({ ...records, read });
  const round = newRound(newRoundId(b), ['word']);
  await sessions.create(session(a));
  await sessions.create({ ...session(b), round });
  outages = [`session/${a}`];
  expect(await sessions.isTyping(player, round.id)).toBe(true);
  expect(await sessions.isTyping(player, newRoundId(b))).toBe(false);
  outages = [`session/${b}`];
  await expect(sessions.isTyping(player, round.id)).rejects.toThrow('away');
  outages = [];
  await records.commit(`session/${b}`, { put: { session: 'damaged' } });
  expect(await sessions.isTyping(player, round.id)).toBe(false);
  await records.remove(`session/${b}`);
  expect(await sessions.isTyping(player, round.id)).toBe(false);
});

test('of a player who is forgotten nothing is left, also if sessions are damaged or gone', async () => {
  for (const owner of [player, `address-${'2'.repeat(64)}`, 'local']) {
    const records = createMemoryRecords(() => now);
    for (const id of [a, b]) await open(records).create(session(id, owner));
    await records.commit(`session/${a}`, { put: { session: 'damaged' } });
    await records.remove(`session/${b}`);
    const away = {
      ...records,
      read: (id: string, names?: readonly string[]) =>
        id === `session/${a}`
          ? Promise.reject(new StoreUnavailableError('The store is away.'))
          : records.read(id, names),
    };
    await expect(open(away).deleteAll(owner)).rejects.toThrow('away');
    await open(records).deleteAll(owner);
    const left: string[] = [];
    for await (const id of records.ids('')) left.push(id);
    expect(left).toEqual([]);
  }
});
