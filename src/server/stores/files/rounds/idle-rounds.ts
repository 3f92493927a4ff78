import { stat } from 'node:fs/promises';
import { openRegularFile } from '../../../../kit/files/regular-file.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { PlayerId } from '../../player.ts';
import { playerJournals } from './player-files.ts';

export interface IdleRoundsOptions {
  /** Folder of the journals of players. */
  readonly dir: string;
  /** Milliseconds since 1970: rounds finished earlier are removed. */
  readonly since: number;
  /** Called for players whose rounds are all too old, or some of them. */
  readonly onOld: (player: PlayerId, which: 'all' | 'some') => Promise<unknown>;
}

/** Finds old rounds of players who have not played since. Reads one file after the other, and only its beginning. */
export async function findOldRounds({ dir, since, onOld }: IdleRoundsOptions): Promise<void> {
  for await (const { path, player } of playerJournals(dir)) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) continue;
    if (found.mtimeMs < since) await onOld(player, 'all');
    else if ((await readOldest(path, found.size)) < since) await onOld(player, 'some');
  }
}

/** Bytes read of a journal: longer than any line except those of attackers, whose rounds are removed once all are too old. */
const beginning = 64 * 1024;

/** When the first round of a journal was finished. */
async function readOldest(path: string, size: number): Promise<number> {
  const file = await openRegularFile(path).catch(() => undefined);
  if (file === undefined) return Number.POSITIVE_INFINITY;
  try {
    const length = Math.min(size, beginning);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    const lines = buffer.subarray(0, bytesRead).toString().split('\n');
    const first = lines.map(parseJournalLine).find((round) => round !== undefined);
    return first === undefined ? Number.POSITIVE_INFINITY : Date.parse(first.completedAt);
  } finally {
    await file.close();
  }
}
