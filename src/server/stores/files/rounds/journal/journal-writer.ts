import { constants } from 'node:fs';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../../../../kit/files/folder.ts';
import { waitForOthers } from '../../../../../kit/files/folder-lock.ts';
import { openRegularFile } from '../../../../../kit/files/regular-file.ts';
import { sweepDraftsOf } from '../../../../../kit/files/whole-file.ts';
import type { Retention } from '../../../round-retention.ts';
import type { UnsavedRound } from '../../../unsaved-rounds.ts';
import { withJournalLock } from './journal-lock.ts';
import { type RoundRemoval, removeFromJournal } from './journal-removal.ts';
import { trimJournal } from './journal-trim.ts';
import { removeDerived } from './snapshots/derived-files.ts';

/** Lines written with one system call. */
const roundsPerWrite = 200;

/** How long trimming and appending wait for another process, in milliseconds: somebody waits for the answer. */
const patience = 2_000;

/** Changes a journal, one operation at a time. */
export interface JournalWriter {
  /**
   * Appends rounds and forces them to disk. Rejects if that fails; appending them again is harmless.
   *
   * @param isWanted called just before they are written; if it returns false, they are dropped
   */
  append(rounds: readonly UnsavedRound[], isWanted?: () => boolean): Promise<void>;
  /** Waits until no other process is replacing the file: until then, rounds in it may be lost. Rejects if that takes too long. */
  waitForReplacement(): Promise<void>;
  /** Removes rounds that are too old or exceed the bound. Rejects with a `StoreUnavailableError` if another process is replacing the file. */
  trim(retention: Retention): Promise<void>;
  /** Removes some rounds, and all derived files. */
  removeSome(removal: RoundRemoval): Promise<void>;
  /** Removes the file and all derived files. */
  remove(): Promise<void>;
}

/** A round to be written, with a check whether it still should be. */
interface WaitingRound extends UnsavedRound {
  readonly isWanted: () => boolean;
}

/** By path, because a journal may be closed and opened again while it is being written. */
const writing = new Map<string, Promise<void>>();

/** Runs `work` after the operations on the same file that are under way. */
function takeTurn(path: string, work: () => Promise<void>): Promise<void> {
  const done = (writing.get(path) ?? Promise.resolve()).then(work);
  const settled = done.catch(() => undefined);
  writing.set(path, settled);
  void settled.then(() => {
    if (writing.get(path) === settled) writing.delete(path);
  });
  return done;
}

export function createJournalWriter(path: string): JournalWriter {
  const inFlight = new Map<string, Promise<void>>();
  let batch: { readonly rounds: WaitingRound[]; readonly written: Promise<void> } | undefined;

  const inTurn = (work: () => Promise<void>) => takeTurn(path, work);
  /** Calls made while a batch is being written share the next batch, and its single fsync. */
  const enqueue = (rounds: readonly WaitingRound[]) => {
    if (batch === undefined) {
      const waiting: WaitingRound[] = [];
      const written = inTurn(() => {
        batch = undefined;
        return appendLines(path, waiting);
      });
      batch = { rounds: waiting, written };
    }
    batch.rounds.push(...rounds);
    return batch.written;
  };
  return {
    async append(rounds, isWanted = () => true) {
      const fresh = rounds.filter(({ id }) => !inFlight.has(id)).map((round) => ({ ...round, isWanted }));
      if (fresh.length > 0) {
        const written = enqueue(fresh);
        for (const { id } of fresh) inFlight.set(id, written);
        const forget = () => {
          for (const { id } of fresh) inFlight.delete(id);
        };
        written.then(forget, forget);
      }
      await Promise.all(rounds.map(({ id }) => inFlight.get(id)));
    },
    waitForReplacement: () => waitForOthers(dirname(path), { wait: patience }),
    trim: (retention) =>
      inTurn(() => withJournalLock(path, (lock) => trimJournal(path, retention, lock), { wait: patience })),
    removeSome: (removal) =>
      inTurn(() => withJournalLock(path, (lock) => removeFromJournal(path, removal, lock))),
    remove: () => inTurn(() => withJournalLock(path, () => removeJournal(path))),
  };
}

/** Removes the journal first: a server that is folding it notices, and leaves no snapshot behind. */
async function removeJournal(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeDerived(path);
  await sweepDraftsOf(path).catch(() => undefined);
  await syncFolder(dirname(path)).catch(() => undefined);
}

const { O_WRONLY, O_APPEND, O_CREAT } = constants;

async function appendLines(path: string, all: readonly WaitingRound[]): Promise<void> {
  const rounds = all.filter(({ isWanted }) => isWanted());
  if (rounds.length === 0) return;
  makeFolder(dirname(path));
  const handle = await openRegularFile(path, O_WRONLY | O_APPEND | O_CREAT);
  try {
    const isNew = (await handle.stat()).size === 0;
    for (let at = 0; at < rounds.length; at += roundsPerWrite) {
      await writeWhole(handle, rounds.slice(at, at + roundsPerWrite));
    }
    await handle.datasync();
    if (isNew) await syncFolder(dirname(path));
    // Another process may be replacing this file. It copies what was appended meanwhile, unless it dies before it has.
    await waitForOthers(dirname(path), { wait: patience });
    const { ino } = await handle.stat();
    const present = await stat(path).catch(() => undefined);
    if (present?.ino === ino) return;
  } finally {
    await handle.close();
  }
  // Another server has replaced or removed this file in the meantime.
  await appendLines(path, rounds);
}

async function writeWhole(handle: FileHandle, rounds: readonly UnsavedRound[]): Promise<void> {
  const bytes = Buffer.from(rounds.map(({ line }) => `\n${line}\n`).join(''));
  const { bytesWritten } = await handle.write(bytes);
  // The rest must not be written in a second call: another server may have appended in between.
  if (bytesWritten < bytes.length)
    throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
}
