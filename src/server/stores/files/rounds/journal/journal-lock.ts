import { type FileHandle, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type FolderLock,
  LockError,
  type LockOptions,
  withFolderLock,
} from '../../../../../kit/files/folder-lock.ts';
import { sweepDraftsOf } from '../../../../../kit/files/whole-file.ts';
import { StoreUnavailableError } from '../../../ports.ts';

/** Held while a journal is replaced or removed. */
export interface JournalLock {
  /** Rejects if the journal is no longer this file, or the lock was lost. */
  confirm(journal: FileHandle): Promise<void>;
}

/**
 * Replaces or removes a journal while no other process does. Otherwise two servers that trim it at once would each put their own
 * copy in place, and lose what was appended to that of the other in between, or bring back what was removed.
 *
 * Rejects with a `StoreUnavailableError` if another process does not finish.
 */
export async function withJournalLock(
  path: string,
  work: (lock: JournalLock) => Promise<void>,
  options?: LockOptions,
): Promise<void> {
  // Nothing to be replaced: a folder in which nobody may write must not keep a player from being told so.
  const isMissing = (await stat(path).catch(() => undefined)) === undefined;
  let isLocked = false;
  try {
    if (isMissing) return await work(toJournalLock(path, undefined));
    await withFolderLock(
      dirname(path),
      async (lock) => {
        isLocked = true;
        // A process killed while replacing the journal leaves a copy of all rounds.
        await sweepDraftsOf(path);
        await work(toJournalLock(path, lock));
      },
      options,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A full disk has no room for a lock, and none for a copy that somebody could put in place; removing makes room.
    if (!isLocked && (code === 'ENOSPC' || code === 'EDQUOT')) await work(toJournalLock(path, undefined));
    else if (error instanceof LockError) throw new StoreUnavailableError(error.message);
    else if (!isLocked && !isMissing) throw new StoreUnavailableError(toLockProblem(path, error as Error));
    else if (code !== 'ENOENT') throw error;
  }
}

/** Somebody put something else in the place of the lock, or nobody may write to the folder. */
function toLockProblem(path: string, { message }: Error): string {
  return `the rounds in ${dirname(path)} cannot be changed: ${message}`;
}

function toJournalLock(path: string, lock: FolderLock | undefined): JournalLock {
  return {
    async confirm(journal) {
      await lock?.confirm();
      const [{ ino }, present] = await Promise.all([journal.stat(), stat(path)]);
      if (present.ino !== ino) throw new LockError('another process has replaced the journal');
    },
  };
}
