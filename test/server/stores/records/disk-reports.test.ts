import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDiskReports } from '../../../../src/server/stores/records/disk-reports.ts';
import { StoreUnavailableError } from '../../../../src/server/stores/records/records.ts';

let dir: string;
let said: string[];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-reports-'));
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(() => {
  said = [];
});

const say = (message: string) => said.push(message);
const open = () => createDiskReports({ onDamage: say, onProblem: say }, () => said.push('files closed'));
const refusal = (code: keyof typeof constants.errno) =>
  Object.assign(new Error(`${code}: not done, open '/secret'`), { code, errno: -constants.errno[code] });

/** Work that fails so many times, and says when it is done. */
function failing(times: number, error: Error): () => string {
  let left = times;
  return () => {
    said.push('tried');
    left -= 1;
    if (left >= 0) throw error;
    return 'done';
  };
}

test('with too many open files, those that can be are closed, and it is tried once more', async () => {
  const [disk, full] = [open(), refusal('EMFILE')];
  expect(await disk.answer(failing(1, full))).toBe('done');
  expect(said.splice(0)).toEqual(['tried', 'files closed', 'tried']);
  expect(disk.problem()).toBeUndefined();
  await expect(disk.answer(failing(9, full))).rejects.toThrow(StoreUnavailableError);
  const problem = disk.problem();
  expect(said.splice(0)).toEqual(['tried', 'files closed', 'tried', 'files closed', problem]);
  expect(problem).toMatch(/^The data folder [^/]+ open files\.$/);
  // What has begun to wait is not tried again, but the next one finds room.
  await expect(disk.answer(() => Promise.reject(full))).rejects.toThrow(problem);
  expect(said).toEqual(['files closed']);
});

test('what the disk refuses otherwise is tried once, and no file is closed for it', async () => {
  const disk = open();
  for (const work of [failing(1, refusal('ENOSPC')), () => Promise.reject(refusal('ENOSPC'))])
    await expect(disk.answer(work)).rejects.toThrow(StoreUnavailableError);
  expect(said).toEqual(['tried', disk.problem()]);
});

test('an answer that is there at once is no promise, and a bug stays as it is', async () => {
  const [disk, bug] = [open(), new Error('a bug')];
  expect(disk.answerNow(() => 1)).toBe(1);
  for (const work of [failing(1, bug), () => Promise.reject(bug)])
    await expect(disk.answerNow(work)).rejects.toBe(bug);
  expect([said, disk.problem()]).toEqual([['tried'], undefined]);
});

test('a damaged file is set aside, and each file is reported once, also one that is missing or cannot be', async () => {
  const [damaged, missing, stuck] = [join(dir, 'a.1'), join(dir, 'a.2'), join(dir, 'a.1', 'b.1')] as const;
  writeFileSync(damaged, 'text');
  const disk = open();
  for (const path of [damaged, missing, stuck, damaged, missing, stuck]) disk.reportDamage(path);
  expect(readFileSync(`${damaged}.damaged`, 'utf8')).toBe('text');
  expect(said).toEqual([
    expect.stringMatching(/is damaged.*set aside/),
    expect.stringMatching(/is missing/),
    expect.stringMatching(/^(?!.*set aside).*is damaged/),
  ]);
  for (const [at, path] of [`${damaged}.damaged`, missing, stuck].entries())
    expect(said[at]?.endsWith(` ${path}`)).toBe(true);
  // Another process has set it aside, and said so.
  open().reportDamage(damaged);
  expect(said).toHaveLength(3);
  createDiskReports({}, () => {}).reportDamage(missing);
});

test('of the id of a session, a report shows only the beginning', async () => {
  const id = '0123456789abcdef'.repeat(2);
  const folder = join(dir, '5a', 'session');
  await mkdir(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.1`), 'text');
  const disk = open();
  for (const number of [1, 2]) disk.reportDamage(join(folder, `${id}.${number}`));
  const shown = join(folder, `${id.slice(0, 8)}…`);
  expect(said.map((message) => message.slice(message.indexOf(dir)))).toEqual([
    `${shown}.1.damaged`,
    `${shown}.2`,
  ]);
});
