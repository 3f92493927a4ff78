import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPulse } from '../../../../../src/server/stores/files/pulse/pulse.ts';
import {
  appendCounts,
  compactFile,
  readCounts,
} from '../../../../../src/server/stores/files/pulse/pulse-file.ts';
import { raiseCounts } from '../../../../../src/server/stores/files/pulse/raised-counts.ts';

let dir: string;
let path: string;
const day = '2026-11-20';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-pulse-'));
  path = join(dir, `${day}.jsonl`);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const seen = (announcement: string, count: number) => ({
  day,
  announcement,
  event: 'impression' as const,
  site: '',
  count,
});
const append = (...counts: ReturnType<typeof seen>[]) => appendCounts(path, counts, () => undefined);
const byName = async () =>
  Object.fromEntries((await readPulse(dir, '')).map(({ announcement, count }) => [announcement, count]));

test('summing up a file keeps what it counts, and the lines of later versions as they are', async () => {
  const later = '{"v":9,"day":"2026-11-20","whatever":[1]}';
  await append(seen('a', 1), seen('b', 2));
  await writeFile(path, `${later}\nnonsense\n`, { flag: 'a' });
  await append(seen('a', 4));
  const before = await readCounts(path);
  expect(before.later).toEqual([later]);
  await compactFile(path, async () => undefined);
  expect(await readCounts(path)).toEqual(before);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([2, later]);
  expect(await byName()).toEqual({ a: 5, b: 2 });
});

test('a file is not summed up by somebody who lost the lock', async () => {
  await append(seen('a', 1));
  await append(seen('a', 1));
  const before = await readFile(path, 'utf8');
  await expect(compactFile(path, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('counts are raised to what is wanted, lowered never, and raising them again changes nothing', async () => {
  await append(seen('a', 3), seen('b', 7));
  const wanted = [seen('a', 5), seen('b', 6), seen('c', 2), { ...seen('a', 1), day: '2026-11-21' }];
  for (let times = 0; times < 3; times += 1) {
    await raiseCounts(dir, wanted);
    expect(
      (await readPulse(dir, ''))
        .map(({ day, announcement, count }) => `${day} ${announcement} ${count}`)
        .sort(),
    ).toEqual(['2026-11-20 a 5', '2026-11-20 b 7', '2026-11-20 c 2', '2026-11-21 a 1']);
  }
  const before = await readFile(path, 'utf8');
  await raiseCounts(dir, wanted);
  expect(await readFile(path, 'utf8')).toBe(before);
});
