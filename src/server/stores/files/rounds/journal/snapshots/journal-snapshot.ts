import { type FileHandle, rm } from 'node:fs/promises';
import { openRegularFile } from '../../../../../../kit/files/regular-file.ts';
import { writeWholeFile } from '../../../../../../kit/files/whole-file.ts';
import type { History } from '../../../../../../typing/statistics/history.ts';
import { removeDrafts, snapshotPath } from './derived-files.ts';
import {
  emptyTable,
  findPlace,
  mergeRecords,
  type PlaceTable,
  readParts,
  recordSize,
  toRecords,
} from './place-table.ts';
import { checkOf, headerSize, readHeader, readRest, toFile, toHash } from './snapshot-format.ts';

/*
 * The beginning of a journal, folded, so that a start need not read and count it again. A file beside the journal with a
 * line of JSON (see `Header`), the table of places, and the history as JSON.
 *
 * Nothing depends on it. If it is missing, damaged, torn or of another journal, it is ignored, and the journal is read from its
 * beginning.
 */

export interface JournalSnapshot {
  /** How far the journal was folded, in bytes: the end of a line. */
  readonly end: number;
  /** When the oldest round was finished, in milliseconds since 1970. */
  readonly oldest: number;
  readonly history: History;
  /** Identifies the snapshot. */
  readonly sum: string;
  readonly table: PlaceTable;
}

/** The parts of a snapshot that are needed to find rounds in it. */
export type SnapshotPlace = Pick<JournalSnapshot, 'sum' | 'table'>;

/** The file is no longer the snapshot that was read: another server has replaced it, or somebody has removed it. */
export class SnapshotReplacedError extends Error {
  constructor() {
    super('another server has folded the journal meanwhile');
    this.name = 'SnapshotReplacedError';
  }
}

/** Reads the snapshot of an open journal; undefined if there is none that matches. */
export async function readSnapshot(path: string, journal: FileHandle): Promise<JournalSnapshot | undefined> {
  const handle = await openRegularFile(snapshotPath(path)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const header = await readHeader(handle);
    if (header === undefined || (await checkOf(journal, header.end)) !== header.check) return undefined;
    const table = { start: headerSize, records: header.records };
    const hash = toHash(header);
    for await (const part of readParts(handle, table)) hash.update(part);
    const text = await readRest(handle, headerSize + header.records * recordSize);
    if (hash.update(text).digest('hex') !== header.sum) return undefined;
    const history = JSON.parse(text.toString()) as History;
    return { ...header, oldest: header.oldest ?? Number.POSITIVE_INFINITY, history, table };
  } catch {
    // For example because the file is truncated.
    return undefined;
  } finally {
    await handle.close();
  }
}

/** How far a journal was folded according to its snapshot, in bytes, without checking that they match; 0 if there is none. */
export async function readFoldedEnd(path: string): Promise<number> {
  const handle = await openRegularFile(snapshotPath(path)).catch(() => undefined);
  if (handle === undefined) return 0;
  try {
    return (await readHeader(handle))?.end ?? 0;
  } finally {
    await handle.close();
  }
}

/** Offsets in the journal of those of these rounds that were folded. Rejects with `SnapshotReplacedError`. */
export async function findFolded(
  path: string,
  { sum, table }: SnapshotPlace,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const places = new Map<string, number>();
  await withSnapshot(path, sum, async (handle) => {
    for (const id of ids) {
      const place = await findPlace(handle as FileHandle, table, id);
      if (place !== undefined) places.set(id, place);
    }
  });
  return places;
}

export interface Folding extends Pick<JournalSnapshot, 'end' | 'oldest' | 'history'> {
  /** The snapshot before, if any, and the places of the rounds since then. */
  readonly before: SnapshotPlace | undefined;
  readonly places: ReadonlyMap<string, number>;
  /** Inode of the journal. */
  readonly inode: number;
}

/**
 * Writes a snapshot. Resolves to undefined, and leaves none, if the journal was replaced or removed in the meantime: nothing of a
 * forgotten player may remain.
 */
export async function writeSnapshot(
  path: string,
  { before, places, inode, ...folded }: Folding,
): Promise<SnapshotPlace | undefined> {
  await removeDrafts(path);
  const more = toRecords(places);
  const records = (before?.table.records ?? 0) + more.length;
  const { end, oldest, history } = folded;
  const text = Buffer.from(JSON.stringify(history));
  const check = await withFile(path, async (journal) =>
    (await journal.stat()).ino === inode ? checkOf(journal, end) : undefined,
  );
  if (check === undefined) return undefined;
  const fields = { end, oldest: Number.isFinite(oldest) ? oldest : null, records, check };
  const sum = await withSnapshot(path, before?.sum, async (handle) => {
    const parts = () => mergeRecords(handle, before?.table ?? emptyTable, more);
    const hash = toHash(fields);
    // The records are merged twice, because the checksum comes before the data in the file.
    for await (const part of parts()) hash.update(part);
    const header = { ...fields, sum: hash.update(text).digest('hex') };
    await writeWholeFile(snapshotPath(path), toFile(header, parts(), text));
    return header.sum;
  });
  const checkNow = await withFile(path, (journal) => checkOf(journal, end)).catch(() => undefined);
  if (checkNow !== check) {
    await rm(snapshotPath(path), { force: true });
    return undefined;
  }
  return { sum, table: { start: headerSize, records } };
}

/** Calls `work` with the snapshot that has this sum, or without one if there is no sum. */
async function withSnapshot<T>(
  path: string,
  sum: string | undefined,
  work: (handle: FileHandle | undefined) => Promise<T>,
): Promise<T> {
  if (sum === undefined) return work(undefined);
  return withFile(snapshotPath(path), async (handle) => {
    if ((await readHeader(handle))?.sum !== sum) throw new SnapshotReplacedError();
    return work(handle);
  }).catch((error) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new SnapshotReplacedError() : error;
  });
}

async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openRegularFile(path);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}
