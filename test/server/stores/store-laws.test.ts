import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSlices } from '../../../src/kit/slices.ts';
import { languageOf } from '../../../src/server/stores/languages.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { Records } from '../../../src/server/stores/records/records.ts';
import { createRounds, type Rounds } from '../../../src/server/stores/rounds.ts';
import { defaultSetup, newRoundId, newSession, type Session } from '../../../src/server/stores/session.ts';
import { createSessions, type Sessions } from '../../../src/server/stores/sessions.ts';
import { roundLine, type StoredRound } from '../../../src/server/stores/stored-round.ts';
import { newRound, type Round, reduceRoundBatch } from '../../../src/typing/round.ts';
import { newInput } from '../../../src/typing/round-input.ts';
import { addRoundsInSteps, newHistory } from '../../../src/typing/statistics/history.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

// Several servers on the same records act like one list in memory, whatever happens in which order.

const server = fc.nat(2);
const players = ['local', `key-${'1'.repeat(64)}`, `address-${'2'.repeat(64)}`] as const;
const player = fc.constantFrom(...players);

const [ttl, limit, limitPerClient] = [1_000, 5, 3];
/** Ids as the server makes them: none is used twice. */
const sessionId = (number: number) => createHash('md5').update(String(number)).digest('hex');
const sessionStep = fc.record({
  server,
  /** How many sessions ago the one was opened that this is about. */
  age: fc.oneof(fc.nat(2), fc.nat(6)),
  player,
  address: fc.constantFrom('', `address-${'3'.repeat(64)}`, `address-${'4'.repeat(64)}`),
  what: fc.constantFrom(
    ...([
      'create',
      'create',
      'create',
      'read',
      'look',
      'change',
      'begin',
      'time',
      'type',
      'repeat',
      'refuse',
      'fail',
    ] as const),
    ...(['delete', 'list', 'list', 'count', 'typing', 'leave', 'clean'] as const),
  ),
  pause: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20), fc.nat(600)),
  page: fc.integer({ min: 1, max: 3 }),
});

interface Used {
  session: Session;
  lastUsed: number;
}

/**
 * Records in memory that another program also changes: before every third change that expects a version. A
 * use of a session that cannot be written is left to the next one.
 */
function newContestedRecords(clock: () => number): Records {
  const records = createMemoryRecords(clock);
  let changes = 0;
  return {
    ...records,
    async commit(id, change) {
      if (change.if && change.put?.used === undefined) {
        changes += 1;
        if (changes % 3 === 0) await records.commit(id, { if: change.if });
      }
      return records.commit(id, change);
    },
  };
}

test('law: sessions of several servers are those of one list, each until it is unused for its time to live', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sessionStep, { minLength: 30, maxLength: 120 }), async (steps) => {
      let now = 5_000;
      const clock = () => now;
      const records = newContestedRecords(clock);
      const open = () => createSessions(records, { limit, limitPerClient, ttl, clock });
      const servers = [open(), open(), open()];
      let model: Used[] = [];
      let opened = 0;
      for (const step of steps) {
        now += step.pause;
        if (step.what === 'create') opened += 1;
        const id = sessionId(step.what === 'create' ? opened : opened - step.age);
        model = model.filter(({ lastUsed }) => lastUsed + ttl > now);
        model = await takeSessionStep(servers[step.server] as Sessions, model, { ...step, id }, now);
      }
      const fresh = open();
      for (const { session } of model) expect(await fresh.read(session.id)).toEqual(session);
    }),
  );
});

type Step = (typeof sessionStep extends fc.Arbitrary<infer One> ? One : never) & { readonly id: string };

/** Does a step in a store and in a list, compares the answers, and returns the list. */
async function takeSessionStep(store: Sessions, model: Used[], step: Step, now: number): Promise<Used[]> {
  const { id, player, address, what, page } = step;
  const known = model.find(({ session }) => session.id === id);
  const mine = model.filter(({ session }) => session.player === player);
  const without = model.filter((each) => each !== known);
  /** What an update does to the list. */
  const change = async (to: (before: Session) => Session, result: string) => {
    const update = (before: Session) => ({ session: to(before), result });
    expect(await store.update(id, update)).toBe(known && result);
    if (known !== undefined) Object.assign(known, { session: to(known.session), lastUsed: now });
    return model;
  };
  switch (what) {
    case 'create': {
      const created = newSession(id, defaultSetup, now, { player, address });
      const ofClient = model.filter(({ session }) => address !== '' && session.address === address);
      const isFull = Math.max(mine.length, ofClient.length) >= limitPerClient;
      const expected = isFull ? 'client full' : model.length >= limit ? 'store full' : 'added';
      expect(await store.create(created)).toBe(expected);
      return expected === 'added' ? [...model, { session: created, lastUsed: now }] : model;
    }
    case 'read':
      expect(await store.read(id)).toEqual(known?.session);
      if (known !== undefined) known.lastUsed = now;
      return model;
    case 'look':
      expect(await store.read(id, () => false)).toBeUndefined();
      return model;
    case 'change':
      return change((before) => ({ ...before, roundCount: before.roundCount + 1 }), 'changed');
    case 'begin': {
      const round = newRound(newRoundId(id), ['ab'], undefined, [0], [4]);
      return change((before) => ({ ...before, round }), 'begun');
    }
    case 'time': {
      const timing = { start: 1, end: now, duration: now };
      return change(({ round, ...before }) => ({ ...before, round: round && { ...round, timing } }), 'timed');
    }
    case 'type':
      return change(({ round, roundCount, ...before }) => {
        const typed = reduceRoundBatch(round ?? newRound('r', ['ab']), [
          newInput('a', 1, (round?.inputCount ?? 0) + 1),
        ]);
        if ('problem' in typed) return { round, roundCount, ...before };
        return { ...before, roundCount: roundCount + page - 1, round: round && typed.round };
      }, 'typed');
    case 'repeat':
      return change((before) => before, 'repeated');
    case 'refuse':
      expect(await store.update(id, () => undefined)).toBeUndefined();
      return model;
    case 'fail': {
      const failed = store.update(id, fail);
      if (known === undefined) expect(await failed).toBeUndefined();
      else await expect(failed).rejects.toThrow('no such change');
      return model;
    }
    case 'delete':
      expect(await store.delete(id)).toBe(known !== undefined);
      return without;
    case 'list': {
      const all = mine
        .map(({ session: { id, createdAt }, lastUsed }) => ({ id, createdAt, lastUsed }))
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      for (let at = 0; at === 0 || at < all.length; at += page) {
        const listed = await store.list(player, { limit: page, after: all[at - 1]?.id });
        const rest = all.slice(at, at + page);
        expect(listed?.sessions).toEqual(rest);
        expect(listed?.next).toBe(at + page < all.length ? rest.at(-1)?.id : undefined);
      }
      return model;
    }
    case 'count':
      expect(await store.count()).toBe(model.length);
      return model;
    case 'typing': {
      const round = known?.session.round?.id ?? newRoundId(id);
      const isTheirs = known?.session.player === player && known.session.round !== null;
      expect(await store.isTyping(player, round)).toBe(isTheirs);
      return model;
    }
    case 'leave':
      await store.deleteAll(player);
      return model.filter((each) => !mine.includes(each));
    case 'clean':
      await store.clean();
      return model;
  }
}

function fail(): never {
  throw new Error('no such change');
}

const roundStep = fc.record({
  server,
  player: fc.constantFrom(...players.slice(0, 2)),
  what: fc.constantFrom('add', 'add', 'add', 'add', 'list', 'find', 'history', 'leave', 'restart'),
  number: fc.nat(400),
  page: fc.integer({ min: 1, max: 30 }),
});

test('law: rounds of several servers are those of one list, and their history is that of the list', async () => {
  const samples = Array.from({ length: 12 }, (_, at) =>
    newStoredRound('', ['one', 'two'], [at, 7 * at, 3, 1]),
  );
  const roundOf = (number: number): StoredRound => ({
    ...(samples[number % samples.length] as StoredRound),
    id: toRoundId(number),
    mode: `words-${number % 3}`,
    language: ['en', 'de', 'gone'][number % 3] as string,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(roundStep, { minLength: 60, maxLength: 200 }), async (steps) => {
      const clock = () => 1_000;
      const records = newContestedRecords(clock);
      const open = () => createRounds(records, { quota: 1e9, retention: undefined, clock });
      const servers = [open(), open(), open()];
      const model = new Map<string, StoredRound[]>(players.map((each) => [each, []]));
      for (const { server, player, what, number, page } of steps) {
        const store = servers[server] as Rounds;
        const mine = model.get(player) as StoredRound[];
        const known = mine.find(({ id }) => id === toRoundId(number));
        if (what === 'add') {
          expect(await store.add(player, roundOf(number))).toBe(known === undefined ? 'added' : 'known');
          if (known === undefined) mine.push(roundOf(number));
        } else if (what === 'find') expect(await store.find(player, toRoundId(number))).toEqual(known);
        else if (what === 'history') {
          const expected = await inSlices(addRoundsInSteps(newHistory(), mine, languageOf));
          expect(await store.history(player)).toEqual(expected);
        } else if (what === 'restart') servers[server] = open();
        else if (what === 'leave' && number < 40) {
          await store.deleteAll(player);
          mine.length = 0;
        } else if (what === 'list') {
          const all = mine.toReversed();
          const from = all.length === 0 ? 0 : number % all.length;
          const listed = await store.list(player, { limit: page, after: all[from - 1]?.id });
          expect(listed?.rounds).toEqual(all.slice(from, from + page));
          expect(listed?.next).toBe(from + page < all.length ? all[from + page - 1]?.id : undefined);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('law: of what strangers type, the newest rounds are kept, as many and as long as they may be, and no byte is lost', async () => {
  const [day, maxRounds, maxDays] = [86_400_000, 40, 3];
  const step = fc.record({
    server: fc.nat(1),
    pause: fc.oneof({ weight: 4, arbitrary: fc.nat(3 * 3_600_000) }, fc.nat(5 * day)),
    count: fc.nat(15),
    what: fc.constantFrom('add', 'add', 'list', 'restart', 'leave'),
  });
  const sample = newStoredRound('', ['one', 'two'], [3, 1]);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      let now = 100 * day;
      const clock = () => now;
      const records = newContestedRecords(clock);
      const retention = { maxRounds, age: maxDays * day };
      const open = () => createRounds(records, { quota: 1e9, retention, clock });
      const servers = [open(), open()];
      let all: StoredRound[] = [];
      let added = 0;
      for (const { server, pause, count, what } of steps) {
        now += pause;
        const store = servers[server] as Rounds;
        if (what === 'restart') servers[server] = open();
        else if (what === 'leave' && count === 0) {
          await store.deleteAll(players[1]);
          all = [];
        } else if (what === 'add')
          for (let left = count; left > 0; left -= 1) {
            added += 1;
            const round = { ...sample, id: toRoundId(added), completedAt: new Date(now).toISOString() };
            expect(await store.add(players[1], round)).toBe('added');
            all.push(round);
          }
        const listed = (await store.list(players[1], { limit: 1_000, after: undefined }))?.rounds ?? [];
        expect(listed).toEqual(all.toReversed().slice(0, listed.length));
        const since = Math.floor((now - retention.age) / day) * day;
        const recent = all.filter(({ completedAt }) => Date.parse(completedAt) >= since);
        expect(listed.length).toBeLessThanOrEqual(Math.min(recent.length, maxRounds));
        expect(listed.length).toBeGreaterThanOrEqual(Math.min(recent.length, maxRounds * 0.95));
        const history = await inSlices(addRoundsInSteps(newHistory(), listed.toReversed(), languageOf));
        expect(await store.history(players[1])).toEqual(history);
        const gone = all.at(-1 - listed.length);
        if (gone !== undefined) expect(await store.find(players[1], gone.id)).toBeUndefined();
        const { values } = await records.read(`rounds/${players[1]}`, ['bytes']);
        const bytes = listed.reduce((sum, round) => sum + Buffer.byteLength(roundLine(round)), 0);
        expect(Number(values[0] ?? 0)).toBe(bytes);
        const counted = (await records.read('quota/rounds', ['bytes'])).values[0];
        expect(Number(counted ?? 0)).toBeGreaterThanOrEqual(bytes);
      }
    }),
    { numRuns: 12 },
  );
});

test('a server notices that its store has lost rounds and got others, also if the last one was sent again', async () => {
  const made: Parameters<Records['commit']>[] = [];
  let store = createMemoryRecords();
  const records: Records = {
    ...store,
    read: (...request) => store.read(...request),
    lines: (...request) => store.lines(...request),
    commit(...change) {
      made.push(change);
      return store.commit(...change);
    },
  };
  let now = 1_000;
  const open = () => createRounds(records, { quota: 1e9, retention: undefined, clock: () => now });
  const add = (rounds: Rounds, number: number) => {
    now += 1;
    const completedAt = new Date(now).toISOString();
    return rounds.add('local', { ...newStoredRound(toRoundId(number), [`word${number}`]), completedAt });
  };
  const one = open();
  await add(one, 1);
  const kept = made.length;
  await add(one, 2);
  await add(one, 3);
  // What a lagging replica has got becomes the store.
  store = createMemoryRecords();
  for (const [id, { if: _, ...change }] of made.slice(0, kept)) await store.commit(id, change);
  const other = open();
  expect([await add(other, 4), await add(other, 3)]).toEqual(['added', 'added']);
  const listed = (await one.list('local', { limit: 9, after: undefined }))?.rounds ?? [];
  expect(listed.map(({ id }) => id)).toEqual([3, 4, 1].map(toRoundId));
  const history = await inSlices(addRoundsInSteps(newHistory(), listed.toReversed(), languageOf));
  expect(await one.history('local')).toEqual(history);
  expect([await add(one, 4), await add(one, 2)]).toEqual(['known', 'added']);
});

/** Records in memory that count what is asked of them, by the first part of an id. */
function newCountedRecords(clock: () => number) {
  const records = createMemoryRecords(clock);
  const counts = { read: 0, lines: 0, commits: 0, written: 0, snapshots: 0 };
  const counted: Records = {
    ...records,
    read(...request) {
      counts.read += 1;
      return records.read(...request);
    },
    async lines(id, from, to) {
      const found = await records.lines(id, from, to);
      if (id.startsWith('rounds/')) counts.lines += found.length;
      return found;
    },
    commit(id, change) {
      counts.commits += 1;
      counts.written += JSON.stringify(change).length;
      if (id.startsWith('folded/')) counts.snapshots += 1;
      return records.commit(id, change);
    },
  };
  return { records: counted, counts };
}

test('a key in a long round is written without reading anything, and nothing is written but the key', async () => {
  let now = 1_000;
  const { records, counts } = newCountedRecords(() => now);
  const sessions = createSessions(records, { limit, limitPerClient, ttl: 100_000, clock: () => now });
  const id = sessionId(1);
  const round = newRound(newRoundId(id), ['x'.repeat(5_000)], undefined, [0], [4]);
  await sessions.create({ ...newSession(id, defaultSetup, now), round });
  Object.assign(counts, { read: 0, written: 0 });
  const type = (seq: number) =>
    sessions.update(id, (session) => {
      const typed = reduceRoundBatch(session.round as Round, [newInput('x', 100, seq)]);
      if ('problem' in typed) throw new Error(typed.problem.message);
      return { session: { ...session, round: typed.round }, result: seq };
    });
  // Its use is written again after a thousandth of its time to live.
  for (let seq = 1; seq <= 90; seq += 1) {
    now += 1;
    expect(await type(seq)).toBe(seq);
  }
  expect(counts.read).toBe(0);
  expect(counts.written).toBeLessThan(90 * 60);
  now += 10;
  await type(91);
  expect(counts.read).toBeGreaterThan(0);
  const readBefore = counts.read;
  await type(92);
  expect(counts.read).toBe(readBefore);
  // What changes nothing only writes that it was used, for itself and for the list.
  now += 1_000;
  counts.commits = 0;
  await sessions.update(id, (session) => ({ session, result: 0 }));
  expect(counts.commits).toBe(2);
  const other = createSessions(records, { limit, limitPerClient, ttl: 100_000, clock: () => now });
  expect(await other.read(id)).toEqual(await sessions.read(id));
});

test('a server that starts reads few of a thousand rounds, which were folded before, but rarely', async () => {
  const { records, counts } = newCountedRecords(() => 1_000);
  const open = () => createRounds(records, { quota: 1e9, retention: undefined, clock: () => 1_000 });
  const rounds = open();
  const round = newStoredRound('', ['a']);
  for (let number = 1; number <= 1_000; number += 1)
    await rounds.add('local', { ...round, id: toRoundId(number) });
  expect(counts).toMatchObject({ lines: 0 });
  expect(counts.snapshots).toBeLessThanOrEqual(1_000 / 20);
  const other = open();
  expect(await other.history('local')).toEqual(await rounds.history('local'));
  expect(counts.lines).toBeLessThanOrEqual(1 + 20);
  expect(await other.history('local')).toBe(await other.history('local'));
});

test('what makes reading rounds faster takes no more room than they do: only they have a quota', async () => {
  const records = createMemoryRecords(() => 1_000);
  const open = () => createRounds(records, { quota: 1e9, retention: undefined, clock: () => 1_000 });
  const rounds = open();
  // Each of another kind, so that all that is counted is new.
  for (let number = 1; number <= 45; number += 1)
    await rounds.add('local', { ...newStoredRound(toRoundId(number)), mode: `words-${number}` });
  const { last } = await records.read('folded/local');
  const [text = ''] = await records.lines('folded/local', last, last);
  const { values } = await records.read('rounds/local', ['bytes']);
  expect(text.length).toBeLessThanOrEqual(Number(values?.[0]));
  expect(await open().history('local')).toEqual(await rounds.history('local'));
});

test('a session that is just being opened is not uncounted by another server, unless it never comes', async () => {
  let now = 1_000;
  const clock = () => now;
  const records = createMemoryRecords(clock);
  let finish = () => {};
  const slow: Records = {
    ...records,
    async commit(id, change) {
      if (id.startsWith('session/')) await new Promise<void>((resolve) => (finish = resolve));
      return records.commit(id, change);
    },
  };
  const options = { limit: 1, limitPerClient: 9, ttl: 86_400_000, clock };
  const [one, other] = [createSessions(slow, options), createSessions(records, options)];
  const create = (store: Sessions, number: number) =>
    store.create(newSession(sessionId(number), defaultSetup, now));
  const opening = create(one, 1);
  await nextTurn();
  now += 59_000;
  expect(await create(other, 2)).toBe('store full');
  finish();
  expect(await opening).toBe('added');
  await other.delete(sessionId(1));
  now += 86_400;
  void create(one, 3);
  await nextTurn();
  now += 86_400;
  expect([await create(other, 4), await other.count()]).toEqual(['added', 1]);
});

test('what cannot be written, or is unwanted by then, takes no room of the others', async () => {
  const records = createMemoryRecords();
  const commit: Records['commit'] = (id, change) =>
    /^(?:rounds|session)\//.test(id) ? Promise.reject(new Error('no disk')) : records.commit(id, change);
  const unwritable = { ...records, commit };
  const options = { quota: 1e9, retention: undefined, clock: () => 1_000 };
  const round = newStoredRound(toRoundId(1));
  await expect(createRounds(unwritable, options).add('local', round)).rejects.toThrow('no disk');
  const answers = [true, false];
  const rounds = createRounds(records, options);
  expect(await rounds.add('local', round, async () => answers.shift() === true)).toBe('unwanted');
  await rounds.flush('local');
  expect((await records.read('quota/rounds', ['bytes'])).values).toEqual(['0']);
  const sessions = createSessions(unwritable, { limit, limitPerClient, ttl, clock: () => 1_000 });
  await expect(sessions.create(newSession(sessionId(1), defaultSetup, 1_000))).rejects.toThrow('no disk');
  const ids: string[] = [];
  for await (const id of records.ids('')) ids.push(id);
  expect(ids).toEqual(['quota/rounds']);
});

/** Records in memory whose answers come in an order that the scheduler draws. */
function newScheduledRecords(scheduler: fc.Scheduler) {
  const records = createMemoryRecords(() => 1_000);
  const scheduled: Records = {
    ...records,
    read: scheduler.scheduleFunction(records.read),
    fields: scheduler.scheduleFunction(records.fields),
    lines: scheduler.scheduleFunction(records.lines),
    commit: scheduler.scheduleFunction(async (id, change) => records.commit(id, change)),
    remove: scheduler.scheduleFunction(records.remove),
  };
  const open = (on: Records) => createSessions(on, { limit, limitPerClient, ttl, clock: () => 1_000 });
  const openRounds = (on: Records) =>
    createRounds(on, { quota: 1e9, retention: undefined, clock: () => 1_000 });
  return { records, scheduled, open, openRounds };
}

const [, typist, address] = players;

test('law: a player who is forgotten while a session is being opened leaves no session that is not counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const { records, scheduled, open } = newScheduledRecords(scheduler);
      const session = newSession(sessionId(1), defaultSetup, 1_000, { player: typist, address });
      const both = Promise.all([open(scheduled).create(session), open(scheduled).deleteAll(typist)]);
      await scheduler.waitFor(both);
      const now = open(records);
      const isThere = (await now.read(session.id)) !== undefined;
      const listed = await now.list(typist, { limit: 1, after: undefined });
      expect([isThere, await now.count()]).toEqual(listed?.sessions.length === 1 ? [true, 1] : [false, 0]);
    }),
  );
});

test('law: a player who is forgotten while a round is being added leaves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isFirst) => {
      const { records, scheduled, open, openRounds } = newScheduledRecords(scheduler);
      const session = newSession(sessionId(1), defaultSetup, 1_000, { player: typist, address });
      await open(records).create(session);
      if (!isFirst) await openRounds(records).add(typist, newStoredRound(toRoundId(1)));
      const [one, other] = [open(scheduled), open(scheduled)];
      const isOpen = async () => (await one.read(session.id)) !== undefined;
      const add = openRounds(scheduled).add(typist, newStoredRound(toRoundId(2)), isOpen);
      const forget = async () => {
        await other.deleteAll(typist);
        await openRounds(scheduled).deleteAll(typist);
      };
      await scheduler.waitFor(Promise.all([add, forget(), forget()]));
      const left: string[] = [];
      for await (const id of records.ids('')) left.push(id);
      expect(left.filter((id) => id !== 'quota/rounds')).toEqual([]);
      const { values } = await records.read('quota/rounds', ['bytes']);
      expect(Number(values[0] ?? 0)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('a session that a server with a fast clock has opened lives as long as it is used', async () => {
  let now = 1_000;
  const records = createMemoryRecords(() => now);
  const open = (ahead: number) =>
    createSessions(records, { limit, limitPerClient, ttl, clock: () => now + ahead });
  const id = sessionId(1);
  await open(10 * ttl).create(newSession(id, defaultSetup, now));
  const right = open(0);
  for (let times = 0; times < 5; times += 1) {
    now += ttl / 2;
    expect(await right.update(id, (session) => ({ session, result: times }))).toBe(times);
  }
});

test('of changes that several servers make to a session at once, none is lost', async () => {
  const records = createMemoryRecords();
  const open = () => createSessions(records, { limit, limitPerClient, ttl: 60_000, clock: Date.now });
  const servers = [open(), open(), open()];
  const id = sessionId(1);
  await servers[0]?.create(newSession(id, defaultSetup, Date.now()));
  const increment = (session: Session) => ({
    session: { ...session, roundCount: session.roundCount + 1 },
    result: session.roundCount,
  });
  const all = Array.from({ length: 60 }, async (_, at) => servers[at % 3]?.update(id, increment));
  expect(new Set(await Promise.all(all)).size).toBe(60);
  expect((await open().read(id))?.roundCount).toBe(60);
});
