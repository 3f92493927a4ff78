import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RoundsNotKeptError } from '../../ports.ts';
import type { FileRounds } from './file-rounds.ts';

export interface RoundQuotaOptions {
  readonly dataDir: string;
  /** Most disk space of the finished rounds of all players together, in bytes. */
  readonly quota: number;
  /** Milliseconds after which a full folder is measured again, because rounds may have been removed. Default: a minute. */
  readonly patience?: number;
}

/**
 * Limits the disk space of rounds. Beyond the limit, rounds are refused as on a full disk: they stay in their session, and
 * nothing that was kept is removed.
 */
export function limitRounds(rounds: FileRounds, options: RoundQuotaOptions): FileRounds {
  const { dataDir, quota, patience = 60_000 } = options;
  let used = 0;
  const measure = () => {
    const done = measureRounds(dataDir).then((bytes) => {
      used = bytes;
    });
    return { at: performance.now(), done };
  };
  let measuring = measure();

  const hasRoom = async (bytes: number) => {
    await measuring.done;
    if (used + bytes <= quota) return true;
    if (performance.now() - measuring.at >= patience) measuring = measure();
    await measuring.done;
    return used + bytes <= quota;
  };
  return {
    ...rounds,
    async keep(player, all, mark) {
      // Each line has a line break before and after it, hence 2.
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

/** Bytes of all journals, including that of the local player. */
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
