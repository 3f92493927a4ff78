import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

/** The same records, in which some lines read otherwise. */
function damaged(records: Records, change: (id: string, number: number, line: string) => string): Records {
  return {
    ...records,
    lines: async (id, from, to) =>
      (await records.lines(id, from, to)).map((line, at) => change(id, from + at, line)),
  };
}

test('rounds whose lines are damaged are left out, and everything else counts, also without the snapshot', async () => {
  const records = damaged(await recordsWithRounds(45), (id, number, line) => {
    if (id.startsWith('folded/')) return line.slice(0, -1);
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
});

test('a line that holds another round than it did is not taken for it', async () => {
  let isShifted = false;
  const records = await recordsWithRounds(4);
  const [, second = ''] = await records.lines(`rounds/${player}`, 1, 4);
  const rounds = open(damaged(records, (_, number, line) => (isShifted && number === 3 ? second : line)));
  expect((await rounds.find(player, toRoundId(3)))?.id).toBe(toRoundId(3));
  isShifted = true;
  expect(await rounds.find(player, toRoundId(3))).toBeUndefined();
  expect((await rounds.find(player, toRoundId(2)))?.id).toBe(toRoundId(2));
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
  for (let times = 0; times < 3; times += 1) await rounds.flush(player);
  expect(forced).toHaveLength(1);
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

test('the letters of a round are those of its language', async () => {
  const lettersOf = async (language: string) => {
    const rounds = open(createMemoryRecords());
    await rounds.add(player, { ...newStoredRound(toRoundId(1), ['über', 'ça']), language });
    const chapters = Object.values((await rounds.history(player)).chapters);
    return chapters.flatMap(({ keys }) => Object.keys(keys.letters)).sort();
  };
  expect(await lettersOf('en')).toEqual(['a', 'b', 'e', 'r']);
  expect(await lettersOf('de')).toEqual(['a', 'b', 'e', 'r', 'ü']);
  expect(await lettersOf('tlh')).toEqual(['a', 'b', 'e', 'r']);
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
