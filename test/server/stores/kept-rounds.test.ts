import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inSlices } from '../../../src/kit/slices.ts';
import { languageOf } from '../../../src/server/stores/languages.ts';
import { createFileRecords } from '../../../src/server/stores/records/file-records.ts';
import { createMemoryRecords } from '../../../src/server/stores/records/memory-records.ts';
import type { RecordChange, Records } from '../../../src/server/stores/records/records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';
import { roundLine } from '../../../src/server/stores/stored-round.ts';
import { addRoundsInSteps, newHistory } from '../../../src/typing/statistics/history.ts';
import { newStoredRound, toRoundId } from './stored-rounds.ts';

const player = `key-${'1'.repeat(64)}`;
const open = (records: Records) =>
  createRounds(records, { quota: 1e9, retention: undefined, clock: () => 1_000 });

async function recordsWithRounds(count: number): Promise<Records> {
  const records = createMemoryRecords();
  const rounds = open(records);
  for (let number = 1; number <= count; number += 1)
    await rounds.add(player, { ...newStoredRound(toRoundId(number)), mode: `words-${number % 3}` });
  return records;
}

/** Puts lines into the record of a player, as if they had always been there. */
async function putLines(records: Records, owner: string, lines: readonly string[]): Promise<void> {
  const put = { epoch: 'first', bytes: String(lines.join('').length) };
  await records.commit(`rounds/${owner}`, { put, push: lines });
}

/** The same records, in which some lines read otherwise. */
function damaged(records: Records, change: (id: string, number: number, line: string) => string): Records {
  return {
    ...records,
    lines: async (id, from, to) =>
      (await records.lines(id, from, to)).map((line, at) => change(id, Math.max(from, 1) + at, line)),
  };
}

test.each([
  ['is damaged', (line: string) => line.slice(0, -1)],
  ['is of another version', (line: string) => JSON.stringify({ ...JSON.parse(line), v: 2, ids: '' })],
])(
  'rounds whose lines are damaged are left out, and everything else counts, also if the snapshot %s',
  async (_, spoil) => {
    const records = damaged(await recordsWithRounds(45), (id, number, line) => {
      if (id.startsWith('folded/')) return spoil(line);
      return number === 5 ? '' : number === 7 ? '{"v":1}' : line;
    });
    const rounds = open(records);
    const listed = (await rounds.list(player, { limit: 100, after: undefined }))?.rounds ?? [];
    const expected = Array.from({ length: 45 }, (_, at) => 45 - at).filter(
      (number) => number !== 5 && number !== 7,
    );
    expect(listed.map(({ id }) => id)).toEqual(expected.map(toRoundId));
    const history = await inSlices(addRoundsInSteps(newHistory(), listed.toReversed(), languageOf));
    expect(await rounds.history(player)).toEqual(history);
    expect(await rounds.find(player, toRoundId(5))).toBeUndefined();
    expect((await rounds.find(player, toRoundId(6)))?.id).toBe(toRoundId(6));
    expect(await rounds.add(player, newStoredRound(toRoundId(5)))).toBe('added');
    expect((await rounds.list(player, { limit: 1, after: toRoundId(8) }))?.rounds).toMatchObject([
      { id: toRoundId(6) },
    ]);
  },
);

test('a line that holds another round than it did is not taken for it', async () => {
  let third: string | undefined;
  const records = await recordsWithRounds(4);
  const [, second = ''] = await records.lines(`rounds/${player}`, 1, 4);
  let reads = 0;
  const change = (_: string, number: number, line: string) => {
    reads += 1;
    return (number === 3 && third) || line;
  };
  const rounds = open(damaged(records, change));
  expect((await rounds.find(player, toRoundId(3)))?.id).toBe(toRoundId(3));
  for (third of [second, 'no round']) expect(await rounds.find(player, toRoundId(3))).toBeUndefined();
  expect((await rounds.find(player, toRoundId(2)))?.id).toBe(toRoundId(2));
  reads = 0;
  expect(await rounds.find(player, toRoundId(9))).toBeUndefined();
  expect(reads).toBe(0);
});

test('rounds are forced to disk once after each change, and not at all where there are none', async () => {
  const records = await recordsWithRounds(1);
  const forced: (string | undefined)[] = [];
  let rivals = 1;
  const commit = async (id: string, change: RecordChange) => {
    if (change.durable && rivals-- > 0) await records.commit(id, {});
    const done = await records.commit(id, change);
    if (change.durable && 'version' in done) forced.push(change.if);
    return done;
  };
  const rounds = open({ ...records, commit });
  for (let times = 0; times < 3; times += 1) {
    await rounds.flush(player);
    expect(forced).toHaveLength(1);
  }
  await rounds.add(player, newStoredRound(toRoundId(2)));
  for (let times = 0; times < 3; times += 1) await rounds.flush(player);
  expect(forced).toHaveLength(2);
  await rounds.flush(`key-${'2'.repeat(64)}`);
  expect(forced).toHaveLength(2);
});

test('rounds that never stay the same while they are read are an error, not an endless wait', async () => {
  const records = await recordsWithRounds(30);
  let reads = 0;
  const lines: Records['lines'] = async (id, from, to) => {
    reads += 1;
    return (await records.lines(id, from, to)).slice(1);
  };
  await expect(open({ ...records, lines }).history(player)).rejects.toThrow('never the same');
  expect(reads).toBeLessThan(100);
});

test('what a later version has written takes no room in a page', async () => {
  const records = await recordsWithRounds(3);
  const long = roundLine({ ...newStoredRound(toRoundId(4)), words: ['x'.repeat(60_000)] });
  await records.commit(`rounds/${player}`, { push: Array(9).fill(long.replace('"v":1', '"v":2')) });
  const page = await open(records).list(player, { limit: 2, after: undefined });
  expect(page).toMatchObject({ rounds: [{ id: toRoundId(3) }, { id: toRoundId(2) }], next: toRoundId(2) });
});

test('a list ends where the rounds are removed while it is read', async () => {
  const records = await recordsWithRounds(3);
  let isRemoved = false;
  const lines: Records['lines'] = async (id, from, to) => {
    if (isRemoved) await records.remove(id);
    return records.lines(id, from, to);
  };
  const rounds = open({ ...records, lines });
  await rounds.history(player);
  isRemoved = true;
  expect(await rounds.list(player, { limit: 9, after: undefined })).toStrictEqual({ rounds: [] });
});

test('of short histories a process keeps many in memory, of long ones few', async () => {
  const keptOf = async (kinds: number) => {
    const records = createMemoryRecords();
    const lines = Array.from({ length: kinds }, (_, at) =>
      roundLine({ ...newStoredRound(toRoundId(at)), mode: `words-${at}` }),
    );
    const owners = Array.from({ length: 50 }, (_, at) => `key-${String(at).padStart(64, '0')}`);
    for (const owner of owners) await putLines(records, owner, lines);
    const read = new Set<string>();
    const rounds = open(damaged(records, (id, _, line) => (read.add(id) ? line : '')));
    for (const owner of owners) await rounds.history(owner);
    read.clear();
    for (const owner of owners.toReversed()) await rounds.history(owner);
    return owners.length - read.size;
  };
  expect(await keptOf(1)).toBe(50);
  const ofLong = await keptOf(20);
  expect([ofLong >= 5, ofLong <= 10]).toEqual([true, true]);
});

test('a history in memory is there at once, while others are read one after the other', async () => {
  const records = await recordsWithRounds(1);
  const owners = ['2', '3', '4'].map((digit) => `key-${digit.repeat(64)}`);
  for (const owner of owners) await putLines(records, owner, await records.lines(`rounds/${player}`, 1, 1));
  let [reading, most] = [0, 0];
  const rounds = open({
    ...records,
    async lines(id, from, to) {
      most = Math.max(most, ++reading);
      await nextTurn();
      reading -= 1;
      return records.lines(id, from, to);
    },
  });
  await rounds.history(player);
  const order: string[] = [];
  const asked = [...owners, player];
  await Promise.all(asked.map(async (owner) => order.push((await rounds.history(owner)) && owner)));
  expect([order, most]).toEqual([[player, ...owners], 1]);
});

describe('of a player whose rounds are bounded', () => {
  const day = 24 * 60 * 60 * 1000;
  const roundAt = (number: number, time: number) => ({
    ...newStoredRound(toRoundId(number)),
    completedAt: new Date(time).toISOString(),
  });
  const openBounded = (records: Records, maxRounds: number) =>
    createRounds(records, { quota: 1e9, retention: { maxRounds, age: 10 * day }, clock: () => 100 * day });
  const recordsWith = async (old: number, recent: number) => {
    const records = createMemoryRecords();
    const times = [...Array<number>(old).fill(day), ...Array<number>(recent).fill(99 * day)];
    const lines = times.map((time, at) => roundLine(roundAt(at, time)));
    await putLines(records, player, lines);
    return records;
  };

  test.each([
    { old: 1, recent: 39, maxRounds: 40 },
    { old: 50, recent: 1, maxRounds: 100 },
    { old: 110, recent: 10, maxRounds: 1_000 },
  ])(
    'only those that are too old are removed: $old of $old and $recent',
    async ({ old, recent, maxRounds }) => {
      const rounds = openBounded(await recordsWith(old, recent), maxRounds);
      expect((await rounds.history(player)).rounds).toBe(recent);
      expect(await rounds.find(player, toRoundId(old))).toBeDefined();
    },
  );

  test('a server reads only those that another one has added, and none after others were removed', async () => {
    const records = await recordsWith(0, 90);
    let reads = 0;
    const counted = damaged(records, (id, _, line) => {
      if (id.startsWith('rounds/')) reads += 1;
      return line;
    });
    const [one, other] = [openBounded(counted, 100), openBounded(records, 100)];
    await one.history(player);
    const counts: number[][] = [];
    for (const until of [91, 101]) {
      for (let number = until === 91 ? 90 : 91; number < until; number += 1)
        await other.add(player, roundAt(number, 99 * day));
      await other.history(player);
      reads = 0;
      counts.push([(await one.history(player)).rounds, reads]);
    }
    // The last known line is read each time.
    expect(counts).toEqual([
      [91, 1 + 1],
      [95, 1],
    ]);
  });

  test.each([1, 2, 3, 4])('none is left over or lost if they change at the reading %i', async (moment) => {
    const records = await recordsWith(30, 60);
    let reads = 0;
    const lines: Records['lines'] = async (id, from, to) => {
      const found = await records.lines(id, from, to);
      if (id.startsWith('rounds/')) reads += 1;
      return reads === moment && id.startsWith('rounds/') ? found.slice(0, -1) : found;
    };
    expect((await openBounded({ ...records, lines }, 40).history(player)).rounds).toBe(38);
  });
});

test('a first round that is unwanted once it is stored takes no other with it, and a later one is stored', async () => {
  const records = createMemoryRecords();
  const [rounds, other] = [open(records), open(records)];
  const bytesOf = async (id: string) => (await records.read(id, ['bytes'])).values;
  const answers = [true, false, true, false];
  const isWanted = async () => {
    if (answers.length === 3) await other.add(player, newStoredRound(toRoundId(2)));
    return answers.shift() === true;
  };
  expect(await rounds.add(player, newStoredRound(toRoundId(1)), isWanted)).toBe('unwanted');
  expect(await bytesOf('quota/rounds')).toEqual(await bytesOf(`rounds/${player}`));
  expect(await rounds.add(player, newStoredRound(toRoundId(3)), isWanted)).toBe('added');
  expect((await open(records).history(player)).rounds).toBe(3);
});

test('a snapshot is stored after twenty rounds, and of many rounds after a hundredth of them', async () => {
  const snapshotOf = async (records: Records) => (await records.read(`folded/${player}`)).last;
  expect(await snapshotOf(await recordsWithRounds(19))).toBe(0);
  expect(await snapshotOf(await recordsWithRounds(20))).toBe(1);
  const records = createMemoryRecords();
  await putLines(records, player, Array(10_000).fill('damaged, and longer than a key'));
  await records.commit(`rounds/${player}`, { trim: 5_001 });
  const rounds = open(records);
  const snapshots: number[] = [];
  for (let number = 1; number <= 60; number += 1) {
    await rounds.add(player, newStoredRound(toRoundId(number)));
    snapshots.push(await snapshotOf(records));
  }
  // This server had to read all of them, so it stores what it got with the first.
  expect(snapshots).toEqual([...Array(51).fill(1), ...Array(9).fill(2)]);
});

test('of the snapshots of a player only the newest is kept, and none that is written while all is deleted', async () => {
  const records = await recordsWithRounds(45);
  const { first, last } = await records.read(`folded/${player}`);
  expect([first, last > 1]).toEqual([last, true]);
  let isDeleted = false;
  const commit = async (id: string, change: RecordChange) => {
    if (id.startsWith('folded/') && !isDeleted) {
      isDeleted = true;
      await open(records).deleteAll(player);
    }
    return records.commit(id, change);
  };
  const rounds = open({ ...records, commit });
  for (let number = 46; !isDeleted; number += 1) await rounds.add(player, newStoredRound(toRoundId(number)));
  expect((await records.read(`folded/${player}`)).version).toBe('');
  expect((await open(records).history(player)).rounds).toBe(0);
});

test('the letters of a round are those of its language, which is read once', async () => {
  const lettersOf = async (language: string) => {
    const rounds = open(createMemoryRecords());
    await rounds.add(player, { ...newStoredRound(toRoundId(1), ['über', 'ça']), language });
    const chapters = Object.values((await rounds.history(player)).chapters);
    return chapters.flatMap(({ keys }) => Object.keys(keys.letters)).sort();
  };
  expect(await lettersOf('en')).toEqual(['a', 'b', 'e', 'r']);
  expect(await lettersOf('de')).toEqual(['a', 'b', 'e', 'r', 'ü']);
  expect(await lettersOf('tlh')).toEqual(['a', 'b', 'e', 'r']);
  expect(languageOf('de')).toBe(languageOf('de'));
});

test('when there seems to be no room, all rounds are counted again, but once a minute', async () => {
  const records = await recordsWithRounds(3);
  const bytesOf = async (id: string) => Number((await records.read(id, ['bytes'])).values[0]);
  const bytes = await bytesOf(`rounds/${player}`);
  let counts = 0;
  async function* ids(prefix: string) {
    counts += 1;
    yield* records.ids(prefix);
    yield 'rounds/gone-meanwhile';
  }
  let now = 1_000;
  const rounds = createRounds({ ...records, ids }, { quota: 1, retention: undefined, clock: () => now });
  await records.remove('quota/rounds');
  for (const [pause, expected] of [
    [0, 1],
    [59_999, 1],
    [1, 2],
    [0, 2],
  ] as const) {
    now += pause;
    await expect(rounds.add(player, newStoredRound(toRoundId(4)))).rejects.toThrow('quota');
    expect([counts, await bytesOf('quota/rounds')]).toEqual([expected, bytes]);
  }
});

test('a round takes room once, also if a rival is faster; if that cannot be given back, the reason counts', async () => {
  const records = await recordsWithRounds(1);
  let isRivalled = true;
  let isAway = false;
  const commit = async (id: string, change: RecordChange) => {
    if (isRivalled && change.push !== undefined) {
      isRivalled = false;
      await open(records).add(player, newStoredRound(toRoundId(2)));
    }
    if (isAway && id !== 'quota/rounds') throw new Error('no disk');
    if (isAway && Number(change.add?.bytes) < 0) throw new Error('not given back');
    return records.commit(id, change);
  };
  const rounds = open({ ...records, commit });
  expect(await rounds.add(player, newStoredRound(toRoundId(3)))).toBe('added');
  const taken = await Promise.all(
    ['quota/rounds', `rounds/${player}`].map(async (id) => (await records.read(id, ['bytes'])).values),
  );
  expect(taken[0]).toEqual(taken[1]);
  isAway = true;
  await expect(rounds.add(player, newStoredRound(toRoundId(4)))).rejects.toThrow('no disk');
});

test('who leaves without rounds gives no room back', async () => {
  const records = createMemoryRecords();
  for (const put of [{}, { bytes: '0' }]) {
    await records.commit(`rounds/${player}`, { put });
    await open(records).deleteAll(player);
  }
  for await (const id of records.ids('')) expect.unreachable(id);
});

test('rounds beyond those that are kept also leave the disk', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'typebadge-rounds-'));
  const records = createFileRecords({ dir });
  try {
    const retention = { maxRounds: 20, age: 1e12 };
    const rounds = createRounds(records, { quota: 1e9, retention, clock: Date.now });
    for (let number = 1; number <= 60; number += 1)
      await rounds.add(player, newStoredRound(toRoundId(number)));
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const stored = (await Promise.all(files.map((path) => readFile(path, 'utf8')))).join('');
    const isStored = (number: number) => stored.includes(`"${toRoundId(number)}"`);
    expect([1, 2, 10, 60].map(isStored)).toEqual([false, false, false, true]);
  } finally {
    await records.close();
    await rm(dir, { recursive: true });
  }
});
