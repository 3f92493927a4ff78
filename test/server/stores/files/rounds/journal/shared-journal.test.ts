import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFolderLock } from '../../../../../../src/kit/files/folder-lock.ts';
import { createRoundJournal } from '../../../../../../src/server/stores/files/rounds/journal/round-journal.ts';
import { toUnsavedRound } from '../../../../../../src/server/stores/unsaved-rounds.ts';
import { newJournalRound, readJournalRounds, toRoundId } from '../../../journal-rounds.ts';
import { finished } from '../../script-process.ts';

// Several servers may share one folder, and each trims the journals that it reads.
let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'typebadge-shared-journal-'));
  path = join(dir, 'rounds.jsonl');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const script = fileURLToPath(new URL('trimming-process.ts', import.meta.url));
const killedScript = fileURLToPath(new URL('killed-replacement.ts', import.meta.url));
const startTrimming = (first: number, rounds: number) =>
  spawn(process.execPath, ['--import', 'tsx', script, path, String(first), String(rounds)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const openJournal = () =>
  createRoundJournal({
    path,
    onDamage: () => undefined,
    onRounds: () => undefined,
    onVoid: () => undefined,
  });

test('no round is lost while three processes trim the journal that they append to', async () => {
  const perProcess = 40;
  const firsts = [1_000, 2_000, 3_000];
  const ends = await Promise.all(firsts.map((first) => finished(startTrimming(first, perProcess))));
  for (const { err, code } of ends) expect([err, code]).toEqual(['', 0]);
  const ids = (await readJournalRounds(path)).map(({ id }) => Number.parseInt(id, 16));
  const wanted = firsts.flatMap((first) => Array.from({ length: perProcess }, (_, at) => first + at));
  expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
}, 120_000);

test('a round is kept that was appended while another process replaced the journal and was killed', async () => {
  const journal = openJournal();
  const [first, late] = [toRoundId(1), toRoundId(2)];
  await journal.append([toUnsavedRound(newJournalRound(first))]);
  const replacing = spawn(process.execPath, ['--import', 'tsx', killedScript, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(replacing.stdout, 'data');
  const appended = journal.append([toUnsavedRound(newJournalRound(late))]);
  await expect.poll(() => readFile(path, 'utf8')).toContain(late);
  // Time enough to count it as kept too early.
  await new Promise((resolve) => setTimeout(resolve, 300));
  replacing.stdin.write('go on\n');
  expect(await once(replacing, 'close')).toEqual([null, 'SIGKILL']);
  await appended;
  expect((await readJournalRounds(path)).map(({ id }) => id)).toEqual([first, late]);
}, 60_000);

test('nobody waits long, or twice, for a process that was stopped while it replaced the journal', async () => {
  const journal = openJournal();
  const append = (number: number) => journal.append([toUnsavedRound(newJournalRound(toRoundId(number)))]);
  await append(1);
  const replacing = spawn(process.execPath, ['--import', 'tsx', killedScript, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(replacing.stdout, 'data');
  replacing.kill('SIGSTOP');
  await expect(append(2)).rejects.toThrow('waited 2 s');
  await expect(append(3)).rejects.toThrow('waited 0 s');
  replacing.kill('SIGKILL');
  await once(replacing, 'close');
  await expect.poll(() => append(3).then(() => 'kept', String), { timeout: 10_000 }).toBe('kept');
}, 60_000);

test('what is removed stays removed while another process trims', async () => {
  const trimming = finished(startTrimming(1_000, 40));
  const journal = openJournal();
  await expect.poll(() => stat(path).then(() => true), { timeout: 30_000 }).toBe(true);
  const mine = toRoundId(7);
  for (let time = 0; time < 20; time += 1) {
    await journal.append([toUnsavedRound(newJournalRound(mine))]);
    await journal.remove();
    expect((await readFile(path, 'utf8').catch(() => '')).includes(mine)).toBe(false);
  }
  await trimming;
  expect((await readFile(path, 'utf8').catch(() => '')).includes(mine)).toBe(false);
}, 120_000);

test('a journal is removed once its replacement has finished', async () => {
  const journal = openJournal();
  await journal.append([toUnsavedRound(newJournalRound(toRoundId(1)))]);
  let isRemoved = false;
  const removed = await withFolderLock(dir, async () => {
    const removal = journal.remove().then(() => {
      isRemoved = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isRemoved).toBe(false);
    return { removal };
  });
  await removed.removal;
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('copies that a killed process left are removed with the journal, and when it is replaced', async () => {
  const journal = openJournal();
  const leave = () => writeFile(`${path}.0123456789abcdef.draft`, 'all rounds');
  const names = () => readdir(dir);
  await journal.append([toUnsavedRound(newJournalRound(toRoundId(1)))]);
  await leave();
  await journal.trim({ rounds: 10, bytes: 2 ** 30, since: 0 });
  expect(await names()).toEqual(['rounds.jsonl']);
  await leave();
  await journal.remove();
  expect(await names()).toEqual([]);
  await leave();
  await journal.remove();
  expect(await names()).toEqual([]);
});
