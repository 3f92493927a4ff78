import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { withFolderLock } from '../../../../kit/files/folder-lock.ts';
import { createWorkQueue } from '../../../../kit/work-queue.ts';
import type { Pulse, PulseSaving } from '../../ports.ts';
import { createTally, largestTally, type PulseCount } from '../../pulse-tally.ts';
import { appendCounts, compactFile, readCounts } from './pulse-file.ts';

export interface PulseOptions {
  /** Folder with one file per day. */
  readonly dir: string;
  /** Called when the counts could not be saved; they stay in memory until the next attempt. */
  readonly onProblem: (problem: Error) => void;
  /** Size in bytes at which the lines of a file are first replaced by their sums. Default: 16 KiB. */
  readonly compactFrom?: number;
}

/** Counts in memory and appends to `<dir>/YYYY-MM-DD.jsonl`; several servers may share the folder. */
export function createPulse({ dir, onProblem, compactFrom = 16_384 }: PulseOptions): Pulse {
  const unsaved = createTally();
  const compactWhenDoubled = createCompaction(compactFrom);
  const queue = createWorkQueue();

  const forget = (counts: readonly PulseCount[]) => {
    for (const count of counts) unsaved.add(count, -count.count);
  };
  const saveDay = async (day: string) => {
    const path = join(dir, `${day}.jsonl`);
    await withFolderLock(dir, async (lock) => {
      await lock.confirm();
      const counts = unsaved.all().filter((count) => count.day === day);
      await appendCounts(path, counts, forget);
      await compactWhenDoubled(path, lock.confirm);
    });
  };
  const saveAll = async (): Promise<PulseSaving> => {
    if (unsaved.size() === 0) return 'nothing to save';
    try {
      makeFolder(dir);
      for (const day of new Set(unsaved.all().map((count) => count.day))) await saveDay(day);
      return 'saved';
    } catch (error) {
      onProblem(error as Error);
      return 'not saved';
    }
  };

  return {
    count(key) {
      const hasRoom = unsaved.size() < largestTally || unsaved.has(key);
      unsaved.add(hasRoom ? key : { ...key, site: 'other' }, 1);
    },
    save: () => queue.run(saveAll),
    read: (sinceDay) => readPulse(dir, sinceDay),
  };
}

/**
 * Compacts a file when it has doubled. Without new names it always shrinks to the same size, so it stays below twice that. With
 * new names all the time, rewriting costs no more than writing did.
 */
function createCompaction(compactFrom: number) {
  let known = { path: '', size: 0 };
  return async (path: string, confirm: () => Promise<void>): Promise<void> => {
    const sizeBefore = known.path === path ? known.size : 0;
    if ((await stat(path)).size <= Math.max(compactFrom, 2 * sizeBefore)) return;
    await compactFile(path, confirm);
    known = { path, size: (await stat(path)).size };
  };
}

/**
 * All counts from `sinceDay` (`YYYY-MM-DD`) on, summed per day, announcement, event and site. Versions up to 1.0 wrote one
 * file per month.
 */
export async function readPulse(dir: string, sinceDay: string): Promise<PulseCount[]> {
  const files = await readdir(dir).catch(() => [] as string[]);
  const sums = createTally();
  for (const file of files.sort()) {
    if (!/^\d{4}-\d\d(?:-\d\d)?\.jsonl$/.test(file) || file.slice(0, 7) < sinceDay.slice(0, 7)) continue;
    const { counts } = await readCounts(join(dir, file));
    for (const count of counts) if (count.day >= sinceDay) sums.add(count, count.count);
  }
  return sums.all();
}
