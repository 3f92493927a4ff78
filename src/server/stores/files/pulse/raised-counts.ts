import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { withFolderLock } from '../../../../kit/files/folder-lock.ts';
import type { PulseCount } from '../../pulse-tally.ts';
import { readPulse } from './pulse.ts';
import { appendCounts } from './pulse-file.ts';

/** Raises the counters of a folder to at least these values, and lowers none. Idempotent. */
export async function raiseCounts(dir: string, wanted: readonly PulseCount[]): Promise<void> {
  if (wanted.length === 0) return;
  makeFolder(dir);
  await withFolderLock(dir, async (lock) => {
    await lock.confirm();
    const present = new Map((await readPulse(dir, '')).map((count) => [nameOf(count), count.count]));
    const missing = wanted
      .map((count) => ({ ...count, count: count.count - (present.get(nameOf(count)) ?? 0) }))
      .filter(({ count }) => count > 0);
    for (const day of new Set(missing.map((count) => count.day))) {
      const counts = missing.filter((count) => count.day === day);
      await appendCounts(join(dir, `${day}.jsonl`), counts, () => undefined);
    }
  });
}

function nameOf({ day, announcement, event, site }: PulseCount): string {
  return JSON.stringify([day, announcement, event, site]);
}
