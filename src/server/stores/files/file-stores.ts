import { join } from 'node:path';
import { makeFolder } from '../../../kit/folder.ts';
import { localPlayer } from '../player.ts';
import type { Stores } from '../ports.ts';
import { openAddressKey } from './address-key.ts';
import { createFolderContent } from './content/folder-content.ts';
import { createFileOutbox } from './outbox/file-outbox.ts';
import { createPulse } from './pulse/pulse.ts';
import { createFileRounds, type FileRounds } from './rounds/file-rounds.ts';
import { findOldRounds } from './rounds/idle-rounds.ts';
import type { Retention } from './rounds/journal-trim.ts';
import { limitRounds } from './rounds/round-quota.ts';
import { type FileSessionsOptions, openFileSessions } from './sessions/file-sessions.ts';

export interface FileStoresOptions extends Omit<FileSessionsOptions, 'rounds'> {
  /** The content folder. */
  readonly contentDir: string;
  /** Bytes on disk that the finished rounds of all players together may take. */
  readonly roundQuota: number;
  /** Milliseconds that rounds of other players than the local one are kept, where strangers can reach the server. Default: for ever. */
  readonly keepRounds?: number;
}

/** Of one player: 10,000 rounds of thirty words take 15 MiB. */
const mostRounds = 10_000;
const mostRoundBytes = 24 * 1024 * 1024;

/** The stores of a single server: sessions in memory, and the files of a data folder. Rejects with one sentence where it cannot be used. */
export async function openFileStores(options: FileStoresOptions): Promise<Stores> {
  const { dataDir, isExposed = false, keepRounds = Number.POSITIVE_INFINITY, clock, log } = options;
  const retentionAt = (now: number): Retention => ({
    rounds: mostRounds,
    bytes: mostRoundBytes,
    since: now - keepRounds,
  });
  try {
    makeFolder(dataDir);
    const retention = isExposed ? () => retentionAt(clock()) : undefined;
    const rounds = limitRounds(createFileRounds({ dataDir, log, retention }), {
      dataDir,
      quota: options.roundQuota,
    });
    // The local player's rounds are read at once, so that damage is reported at the start.
    if (!isExposed) await rounds.history(localPlayer);
    const addressKey = isExposed ? await openAddressKey(dataDir) : '';
    const sessions = await openFileSessions({ ...options, rounds });
    const pulse = createPulse({
      dir: join(dataDir, 'pulse'),
      onProblem: ({ message }) => log.error(`badge counters could not be saved, trying again: ${message}`),
    });
    const cleaning = isExposed ? startCleaning({ dataDir, rounds, retentionAt, clock, log }) : undefined;
    return {
      sessions,
      rounds,
      content: createFolderContent(options.contentDir),
      pulse,
      outbox: createFileOutbox({ dataDir, content: options.contentDir }),
      addressKey,
      async close() {
        clearInterval(cleaning);
        await pulse.save();
        await sessions.close();
        await rounds.settle();
      },
    };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`The data folder ${dataDir} cannot be used: ${message}. Choose another with --data.`, {
      cause: error,
    });
  }
}

const cleaningInterval = 6 * 60 * 60 * 1000;

interface CleaningOptions extends Pick<FileStoresOptions, 'dataDir' | 'clock' | 'log'> {
  readonly rounds: FileRounds;
  readonly retentionAt: (now: number) => Retention;
}

/** Removes rounds that are too old of players who do not come back, now and then. */
function startCleaning({ dataDir, rounds, retentionAt, clock, log }: CleaningOptions): NodeJS.Timeout {
  const clean = () =>
    findOldRounds({
      dir: join(dataDir, 'players'),
      since: retentionAt(clock()).since,
      onOld: async (player, which) => (which === 'all' ? rounds.forget(player) : rounds.history(player)),
    }).catch(({ message }) => log.error(`old rounds could not be removed for now: ${message}`));
  void clean();
  return setInterval(clean, cleaningInterval).unref();
}
