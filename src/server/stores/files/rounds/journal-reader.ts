import type { Stats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { openRegularFile } from '../../../../kit/regular-file.ts';
import { createWorkQueue } from '../../../../kit/work-queue.ts';
import type { History } from '../../../../typing/statistics/history.ts';
import type { JournalRound } from '../../journal-round.ts';
import { createDamageReport, type DamageListener, type LaterListener } from './journal-damage.ts';
import { countRest } from './journal-portion.ts';
import { begin, find, fold, newProgress } from './journal-progress.ts';
import { readSnapshot, SnapshotReplacedError } from './snapshots/journal-snapshot.ts';

/** Readings in a row that another server's snapshots may spoil. */
const mostAttempts = 5;

export interface JournalReaderOptions {
  readonly path: string;
  /** Rounds since the last snapshot from which on another one is made. Default: 250, which are read within 25 ms. */
  readonly roundsPerSnapshot?: number | undefined;
  /** Called once for lines that cannot be read. */
  readonly onDamage: DamageListener;
  readonly onLater?: LaterListener | undefined;
  /** Called, in portions, with the rounds that have appeared in the file, each once. */
  readonly onRounds: (rounds: readonly JournalRound[]) => void;
  /**
   * Called when nothing reported so far holds any longer: the file was replaced or is gone, and is read again; or a
   * snapshot holds rounds that are no longer reported one by one.
   */
  readonly onVoid: () => void;
}

/** What was read of a journal. */
export interface JournalView {
  /** All rounds that were read, each counted once. */
  readonly history: History;
  /** Bytes. */
  readonly size: number;
  /** When the oldest round was finished, in milliseconds since 1970. */
  readonly oldest: number;
  /** Rounds that take memory. */
  readonly held: number;
}

/** Reads a journal, however long, in bounded memory, from its latest snapshot on. */
export interface JournalReader {
  /** Reads what has appeared in the file since the last call, from any process. */
  readNew(): Promise<void>;
  view(): JournalView;
  /** Where these rounds are in the file, of those that were read: the first place of each. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Waits for a snapshot that is being written. */
  settle(): Promise<void>;
}

export function createJournalReader(options: JournalReaderOptions): JournalReader {
  const { path, onRounds, onVoid, onDamage, roundsPerSnapshot = 250 } = options;
  let state = newProgress(roundsPerSnapshot);
  // Two readings of the same lines at once would count the same rounds twice.
  const queue = createWorkQueue();
  const isKnown = async (ids: readonly string[]) => new Set((await find(path, state, ids)).keys());
  const damage = createDamageReport(path, isKnown, onDamage, options.onLater);
  const startOver = () => {
    if (state.inode !== 0) onVoid();
    state = newProgress(roundsPerSnapshot);
  };

  const read = async (): Promise<void> => {
    const found = await statOf(path);
    if (found === undefined && state.inode !== 0) startOver();
    if (found === undefined || (found.ino === state.inode && found.size === state.size)) return;
    if ((state.inode !== 0 && found.ino !== state.inode) || found.size < state.offset) startOver();
    const file = await openRegularFile(path);
    try {
      await readFrom(file);
    } finally {
      await file.close();
    }
    await damage.report();
  };
  const readFrom = async (file: FileHandle): Promise<void> => {
    const isFirst = state.inode === 0;
    if (isFirst) {
      const snapshot = await readSnapshot(path, file);
      begin(state, (await file.stat()).ino, snapshot);
      if (snapshot !== undefined) onVoid();
    }
    const parts = { path, progress: state, roundsPerSnapshot, onRounds, onDamage: damage.add };
    await countRest(file, parts, isFirst);
  };
  const retry = <T>(work: () => Promise<T>) => retryReading(work, startOver);
  return {
    async readNew() {
      await queue.run(() => retry(read));
      const isDue = state.places.size >= state.due && state.offset === state.size;
      // Behind: nobody waits for it.
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

/** Again from the beginning, where another server has replaced the snapshot meanwhile, or the file was removed. */
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

/** Undefined where there is no file. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
