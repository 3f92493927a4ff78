import type { Stats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { openRegularFile } from '../../../../../kit/files/regular-file.ts';
import { createWorkQueue } from '../../../../../kit/work-queue.ts';
import type { History } from '../../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../../journal-round.ts';
import { createDamageReport, type DamageListener, type LaterListener } from './journal-damage.ts';
import { countRest } from './journal-portion.ts';
import { begin, find, fold, isSnapshotDue, newProgress } from './journal-progress.ts';
import { readFoldedEnd, readSnapshot, SnapshotReplacedError } from './snapshots/journal-snapshot.ts';

/** Attempts to read that snapshots of another server may interrupt. */
const mostAttempts = 5;

export interface JournalReaderOptions {
  readonly path: string;
  /** Rounds between two snapshots, unless their bytes make one due earlier. Default: 250, which take at most 25 ms to read. */
  readonly roundsPerSnapshot?: number | undefined;
  /** Called once about unreadable lines. */
  readonly onDamage: DamageListener;
  readonly onLater?: LaterListener | undefined;
  /** Called, in portions, with each new round in the file once. */
  readonly onRounds: (rounds: readonly JournalRound[]) => void;
  /**
   * Called when all earlier reports are void: the file was replaced or removed, and is read again; or a snapshot contains
   * rounds that will not be reported individually.
   */
  readonly onVoid: () => void;
}

/** What has been read of a journal. */
export interface JournalView {
  /** All rounds read so far, each counted once. */
  readonly history: History;
  /** In bytes. */
  readonly size: number;
  /** When the oldest round was finished, in milliseconds since 1970. */
  readonly oldest: number;
  /** Number of rounds in memory. */
  readonly held: number;
}

/** Reads a journal of any length in bounded memory, from its latest snapshot on. */
export interface JournalReader {
  /**
   * Reads what any process has appended since the last call. Rejects with a `StoreUnavailableError` if `isStopped` becomes true on
   * the way (default: never); the next call goes on from there.
   */
  readNew(isStopped?: () => boolean): Promise<void>;
  view(): JournalView;
  /** Offsets of those of these rounds that have been read; the first one of each. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Waits for a snapshot that is being written. */
  settle(): Promise<void>;
}

export function createJournalReader(options: JournalReaderOptions): JournalReader {
  const { path, onRounds, onVoid, onDamage, roundsPerSnapshot = 250 } = options;
  let state = newProgress(roundsPerSnapshot);
  // Reading the same lines twice in parallel would count their rounds twice.
  const queue = createWorkQueue();
  const isKnown = async (ids: readonly string[]) => new Set((await find(path, state, ids)).keys());
  const damage = createDamageReport(path, isKnown, onDamage, options.onLater);
  const startOver = () => {
    if (state.inode !== 0) onVoid();
    state = newProgress(roundsPerSnapshot);
  };

  const read = async (isStopped = () => false): Promise<void> => {
    const found = await statOf(path);
    if (found === undefined && state.inode !== 0) startOver();
    if (found === undefined || (found.ino === state.inode && found.size === state.size)) return;
    if ((state.inode !== 0 && found.ino !== state.inode) || found.size < state.offset) startOver();
    const file = await openRegularFile(path);
    try {
      await readFrom(file, isStopped);
    } finally {
      await file.close();
    }
    await damage.report();
  };
  const readFrom = async (file: FileHandle, isStopped: () => boolean): Promise<void> => {
    const isFirst = state.inode === 0;
    if (isFirst) {
      const snapshot = await readSnapshot(path, file);
      begin(state, (await file.stat()).ino, snapshot);
      if (snapshot !== undefined) onVoid();
    }
    const parts = { path, progress: state, roundsPerSnapshot, onRounds, onDamage: damage.add, isStopped };
    await countRest(file, parts, isFirst);
  };
  const retry = <T>(work: () => Promise<T>) => retryReading(work, startOver);
  return {
    async readNew(isStopped) {
      await queue.run(() => retry(() => read(isStopped)));
      const isDue = isSnapshotDue(state) && state.offset === state.size;
      // In the background: nobody waits for it.
      if (isDue) void queue.run(() => fold(path, state, roundsPerSnapshot));
    },
    view: () => {
      const { history, size, oldest, places } = state;
      return { history, size, oldest, held: places.size };
    },
    placesOf: (ids) =>
      queue.run(() =>
        retry(async () => {
          if (state.inode === 0) await read();
          return find(path, state, ids);
        }),
      ),
    settle: queue.settle,
  };
}

/** Bytes that a new reader of this journal has to read. */
export async function bytesToRead(path: string): Promise<number> {
  const size = (await statOf(path))?.size ?? 0;
  return size === 0 ? 0 : Math.max(0, size - (await readFoldedEnd(path)));
}

/** Starts again if another server has replaced the snapshot in the meantime, or the file was removed. */
async function retryReading<T>(work: () => Promise<T>, startOver: () => void): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isAnother =
        error instanceof SnapshotReplacedError || (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isAnother || attempt === mostAttempts) throw error;
      startOver();
    }
  }
}

/** Undefined if there is no file. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
