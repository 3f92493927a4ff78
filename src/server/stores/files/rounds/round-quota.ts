import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RoundsNotKeptError } from '../../ports.ts';
import { type FileRounds, journalPath } from './file-rounds.ts';
import { playerFiles } from './player-files.ts';

export interface RoundQuotaOptions {
  readonly dataDir: string;
  /** Most disk space of the finished rounds of all players together, in bytes. */
  readonly quota: number;
  /** Milliseconds after which a full folder is measured again, because rounds may have been removed. Default: five minutes. */
  readonly patience?: number;
  /**
   * Milliseconds that a save waits for a measuring, which takes a while for many small files; after it, those found so far count. Default: a
   * second.
   */
  readonly longestWait?: number;
}

/** A measuring of the folder that is under way, or the last one. */
interface Measuring {
  /** When it began, by the monotonic clock in milliseconds. */
  readonly at: number;
  /** Resolves when it has ended, or after the time that a save may wait for it. */
  readonly waited: Promise<void>;
  hasEnded: boolean;
}

/**
 * Limits the disk space of rounds. Beyond the limit, rounds are refused as on a full disk: they stay in their session, and
 * nothing that was kept is removed.
 */
export function limitRounds(rounds: FileRounds, options: RoundQuotaOptions): FileRounds {
  const { dataDir, quota, patience = 300_000, longestWait = 1_000 } = options;
  let used = 0;
  let added = 0;
  const measure = (isFirst: boolean): Measuring => {
    const before = added;
    const sumUp = async () => {
      let sum = 0;
      for await (const bytes of fileSizes(dataDir)) {
        sum += bytes;
        if (isFirst) used += bytes;
      }
      // Files may have grown after they were measured: what was added meanwhile rather counts twice than not at all.
      used = sum + added - before;
      measuring.hasEnded = true;
    };
    const waited = Promise.race([sumUp(), sleep(longestWait, undefined, { ref: false })]);
    const measuring = { at: performance.now(), waited, hasEnded: false };
    return measuring;
  };
  let latest = measure(true);
  const add = (bytes: number) => {
    used += bytes;
    added += bytes;
  };

  const hasRoom = async (bytes: number) => {
    await latest.waited;
    if (used + bytes <= quota) return true;
    if (latest.hasEnded && performance.now() - latest.at >= patience) latest = measure(false);
    await latest.waited;
    return used + bytes <= quota;
  };
  return {
    ...rounds,
    async keep(player, all, mark) {
      // Each line has a line break before and after it, hence 2.
      const bytes = all.reduce((sum, { line }) => sum + Buffer.byteLength(line) + 2, 0);
      const size = await sizeOf(journalPath(dataDir, player));
      const more = onDisk(size + bytes) - onDisk(size);
      if (!(await hasRoom(more))) throw new RoundsNotKeptError(new Error(toSentence(quota)));
      add(more);
      try {
        await rounds.keep(player, all, mark);
      } catch (error) {
        add(-more);
        throw error;
      }
    },
  };
}

function toSentence(quota: number): string {
  const mebibytes = Math.round(quota / 2 ** 20);
  return `all rounds together would take more than the ${mebibytes} MiB on disk that --round-quota allows`;
}

/** What each file takes: all journals, including that of the local player, and what is derived from them. */
async function* fileSizes(dataDir: string): AsyncGenerator<number> {
  yield onDisk(await sizeOf(join(dataDir, 'rounds.jsonl')));
  for await (const path of playerFiles(join(dataDir, 'players'))) yield onDisk(await sizeOf(path));
}

/** Bytes that the smallest file takes on disk, and all others a multiple of. */
const blockBytes = 4_096;

function onDisk(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
