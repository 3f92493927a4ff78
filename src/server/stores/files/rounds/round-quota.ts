import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RoundsNotKeptError } from '../../ports.ts';
import type { FileRounds } from './file-rounds.ts';

export interface RoundQuotaOptions {
  readonly dataDir: string;
  /** Bytes on disk that the finished rounds of all players together may take. */
  readonly quota: number;
  /** Milliseconds after which a folder that was full is measured again: rounds may have been removed. Default: a minute. */
  readonly patience?: number;
}

/**
 * Rounds that take no more than their share of the disk. What finds no room is refused as on a disk that is full: it stays
 * in its session, and nothing that was kept goes.
 */
export function limitRounds(rounds: FileRounds, options: RoundQuotaOptions): FileRounds {
  const { dataDir, quota, patience = 60_000 } = options;
  let used = 0;
  let measuredAt = 0;
  const measure = async () => {
    measuredAt = performance.now();
    used = await measureRounds(dataDir);
  };
  let measuring = measure();

  const hasRoom = async (bytes: number) => {
    await measuring;
    if (used + bytes <= quota) return true;
    if (performance.now() - measuredAt >= patience) measuring = measure();
    await measuring;
    return used + bytes <= quota;
  };
  return {
    ...rounds,
    async keep(player, all, mark) {
      // Each line has a line break before and after it.
      const bytes = all.reduce((sum, { line }) => sum + Buffer.byteLength(line) + 2, 0);
      if (!(await hasRoom(bytes))) throw new RoundsNotKeptError(new Error(toSentence(quota)));
      used += bytes;
      try {
        await rounds.keep(player, all, mark);
      } catch (error) {
        used -= bytes;
        throw error;
      }
    },
  };
}

function toSentence(quota: number): string {
  const mebibytes = Math.round(quota / 2 ** 20);
  return `all rounds together would take more than the ${mebibytes} MiB on disk that --round-quota allows`;
}

/** Bytes of the local player's journal and those of all others. */
async function measureRounds(dataDir: string): Promise<number> {
  const players = join(dataDir, 'players');
  let bytes = await sizeOf(join(dataDir, 'rounds.jsonl'));
  for (const folder of await namesIn(players)) {
    for (const name of await namesIn(join(players, folder))) {
      bytes += await sizeOf(join(players, folder, name));
    }
  }
  return bytes;
}

function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
