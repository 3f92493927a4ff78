import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLines } from '../../../../kit/line-reader.ts';
import type { History } from '../../../../typing/statistics/history.ts';
import { parseJournalLine } from '../../journal-line.ts';
import type { JournalRound } from '../../journal-round.ts';
import { createDamageReport, type DamageListener, type LaterListener } from './journal-damage.ts';
import { addRounds, begin, find, fold, newProgress, type PlacedRound } from './journal-progress.ts';
import { readSnapshot, SnapshotReplacedError } from './journal-snapshot.ts';

/** How long a torn last line is given to grow, in milliseconds: another server may be writing it. */
const tornPatience = 50;
/** In the middle of a long file more rounds are held: so many times as many, or a share of all. */
const heldWhileReading = 400;
const shareWhileReading = 1 / 8;
/** Readings in a row that another server's snapshots may spoil. */
const mostAttempts = 5;

export interface JournalReaderOptions {
  readonly path: string;
  /** Rounds since the last snapshot from which on another one is made. Default: 250, which are read within 25 ms. */
  readonly roundsPerSnapshot?: number | undefined;
  /** Told once of lines that cannot be read. */
  readonly onDamage: DamageListener;
  readonly onLater?: LaterListener | undefined;
  /** Told, in portions, of the rounds that have appeared in the file, each once. */
  readonly onRounds: (rounds: readonly JournalRound[]) => void;
  /**
   * Told that all that was told before is void: the file is another one than before, or gone, and is read again; or a
   * snapshot stands for rounds that are told of no more.
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
  /** Reads what has appeared in the file since the last call, whoever wrote it. */
  readNew(): Promise<void>;
  view(): JournalView;
  /** Where these rounds are in the file, of those that were read: the first place of each. */
  placesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Waits for a snapshot that is being written. */
  settle(): Promise<void>;
}

export function createJournalReader(options: JournalReaderOptions): JournalReader {
  const { path, onRounds, onVoid, onDamage, roundsPerSnapshot = 250 } = options;
  const mostHeld = heldWhileReading * roundsPerSnapshot;
  let state = newProgress(roundsPerSnapshot);
  let turn: Promise<unknown> = Promise.resolve();

  /** One thing at a time: two readings of the same lines would count the same rounds twice. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  };
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
    const file = await open(path, 'r');
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
    let portion: PlacedRound[] = [];
    let reached = state.offset;
    const take = (line: Buffer, at: number): boolean => {
      const round = parseJournalLine(line.toString());
      if (round !== undefined) portion.push({ round, at });
      return round !== undefined;
    };
    const takeLine = (line: Buffer, at: number) => {
      if (line.length > 0 && !take(line, at)) damage.add(line);
      reached = at + line.length + 1;
    };
    const count = async () => {
      const placed = portion;
      portion = [];
      const fresh = await addRounds(path, state, placed);
      if (fresh.length > 0) onRounds(fresh);
    };
    const countPart = async () => {
      await count();
      state.offset = reached;
      if (state.places.size >= Math.max(state.due, mostHeld, state.history.rounds * shareWhileReading)) {
        await fold(path, state, roundsPerSnapshot);
      }
    };
    let lines = await readLines(file, state.offset, takeLine, countPart);
    if (isFirst && lines.tail.length > 0 && !take(lines.tail, lines.offset)) {
      await sleep(tornPatience);
      lines = await readLines(file, lines.offset, takeLine, countPart);
      takeLine(lines.tail, lines.offset);
    }
    await count();
    state.offset = lines.offset;
    state.size = lines.offset + lines.tail.length;
  };
  const retry = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof SnapshotReplacedError) || attempt === mostAttempts) throw error;
        startOver();
      }
    }
  };
  return {
    async readNew() {
      await inTurn(() => retry(read));
      const isDue = state.places.size >= state.due && state.offset === state.size;
      // Behind: nobody waits for it.
      if (isDue) void inTurn(() => fold(path, state, roundsPerSnapshot));
    },
    view: () => {
      const { history, size, oldest, places } = state;
      return { history, size, oldest, held: places.size };
    },
    placesOf: (ids) =>
      inTurn(() =>
        retry(async () => {
          if (state.inode === 0) await read();
          return find(path, state, ids);
        }),
      ),
    async settle() {
      await turn;
    },
  };
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
