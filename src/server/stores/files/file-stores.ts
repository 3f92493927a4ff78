import { join } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { localPlayer } from '../player.ts';
import type { Stores } from '../ports.ts';
import { openAddressKey } from './address-key.ts';
import { createFolderContent } from './content/folder-content.ts';
import { createFileOutbox } from './outbox/file-outbox.ts';
import { createPulse } from './pulse/pulse.ts';
import { createBoundedRounds } from './rounds/bounded-rounds.ts';
import { type FileSessionsOptions, openFileSessions } from './sessions/file-sessions.ts';

export interface FileStoresOptions extends Omit<FileSessionsOptions, 'rounds'> {
  /** The content folder. */
  readonly contentDir: string;
  /** Most disk space of the finished rounds of all players together, in bytes. */
  readonly roundQuota: number;
  /** Milliseconds that rounds of players other than the local one are kept if strangers can reach the server. Default: forever. */
  readonly keepRounds?: number;
}

/** The stores of a single server: sessions in memory, everything else in a data folder. Rejects with one sentence if it is unusable. */
export async function openFileStores(options: FileStoresOptions): Promise<Stores> {
  const { dataDir, isExposed = false, keepRounds = Number.POSITIVE_INFINITY, log } = options;
  try {
    makeFolder(dataDir);
    const rounds = createBoundedRounds({ ...options, isExposed, keepRounds });
    // Reads the local player's rounds at once, so that damage is reported at the start.
    if (!isExposed) await rounds.history(localPlayer);
    const addressKey = isExposed ? await openAddressKey(dataDir) : '';
    const sessions = await openFileSessions({ ...options, rounds });
    const pulse = createPulse({
      dir: join(dataDir, 'pulse'),
      onProblem: ({ message }) => log.error(`badge counters could not be saved, trying again: ${message}`),
    });
    const stopCleaning = rounds.startCleaning();
    return {
      sessions,
      rounds,
      content: createFolderContent(options.contentDir),
      pulse,
      outbox: createFileOutbox({ dataDir, content: options.contentDir }),
      addressKey,
      async close() {
        stopCleaning();
        rounds.stopReading();
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
