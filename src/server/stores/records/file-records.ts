import { closeSync, fdatasyncSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder, syncFolder } from '../../../kit/files/folder.ts';
import { giveToOwnerOf } from '../../../kit/files/ownership.ts';
import { createRecentCache } from '../../../kit/recent-cache.ts';
import { createDiskReports, type DiskReportsOptions } from './disk-reports.ts';
import { changeText, type End, sealText, stateText } from './file-lines.ts';
import { lastLineBefore, openFile, type RecordFile, writeWhole } from './record-file.ts';
import { basePath, fileNumbers, idsIn, numbered, removeFiles, spoiled } from './record-folder.ts';
import {
  createVersions,
  isGone,
  newRecordState,
  type Outcome,
  outcomeOf,
  type PlacedChange,
} from './record-state.ts';
import { codeOf, type RecordChange, type Records, StoreUnavailableError } from './records.ts';

/** The records of a data folder. */
export function recordsFolder(dataDir: string): string {
  return join(dataDir, 'records');
}

export interface FileRecordsOptions extends DiskReportsOptions {
  /** Created when the first record is written. */
  readonly dir: string;
  /** Milliseconds since 1970, by which the expiry of this record is judged. */
  readonly clock?: (id: string) => number;
  /** The same, from which on records live: see `StoresOptions`. Default: `clock`. */
  readonly latest?: (id: string) => number;
  /** Files that are kept open, with the states of their records in memory; a long one counts as several. */
  readonly maxOpen?: number;
  /** Maximum size in bytes of a file before it is sealed, unless its first state is already half of that. */
  readonly maxFileSize?: number;
}

export interface FileRecords extends Records {
  /** Removes expired records from the disk. Only for servers: the clocks of other programs may differ. */
  sweep(): Promise<void>;
  /** What the disk refused within the last ten seconds, in a sentence. */
  problem(): string | undefined;
}

/** Maximum number of attempts of a change that comes after a seal; nearly always the second one succeeds. */
const maxAttempts = 20;
const restless = 'Another program keeps changing the files of the data folder.';
const removal: RecordChange = { ttl: 0 };
/** Bytes of a file whose size in the cache is 1. Its state takes about as much memory as its text. */
const usualFile = 64 * 1024;

/**
 * Records in append-only files of one machine. Several processes may use the folder at once, without locks:
 * each change is appended in one write, and the order in the file decides. Whoever reads it applies a change
 * only if its conditions hold there; a writer reads on to its own change to learn whether it was applied.
 *
 * A long file is sealed by an entry: what follows it does not count. The record continues in the next file,
 * which begins with the state up to there and appears under its name complete, by `link`; any process that
 * finds a sealed file may make the next one, because all make the same. Lines stay in the file to which they
 * were added.
 *
 * Everything but forcing to disk is synchronous: a keystroke is one `write`, and one `read` that finds
 * nothing after it.
 */
export function createFileRecords(options: FileRecordsOptions): FileRecords {
  const { dir, clock = Date.now, latest = clock, maxOpen = 1_000, maxFileSize = 256 * 1024 } = options;
  const disk = createDiskReports(options, () => {
    for (const file of openFiles.values()) drop(file);
  });
  const nextVersion = createVersions();

  /**
   * Checks the conditions first on the record as this process knows it. If others have changed it since, the
   * order in the file refuses the change; if a condition fails, it is checked again after reading on.
   */
  const commit = (id: string, wanted: RecordChange): ReturnType<Records['commit']> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const at = clock(id);
      const change = wanted.ttl ? { ...wanted, ttl: wanted.ttl + latest(id) - at } : wanted;
      let file = attempt === 0 ? openFiles.get(id) : undefined;
      if (file === undefined || outcomeOf(file.state, at, change) !== 'applied') {
        file = current(id, false);
        const outcome = outcomeOf(file?.state ?? newRecordState(), at, change);
        if (outcome !== 'applied') return { refused: outcome };
      }
      if (file === undefined || file.seal !== undefined) file = current(id, true) as RecordFile;
      const version = nextVersion();
      const outcome = append(file, { version, at, change });
      if (outcome === undefined) continue;
      tidy(file, at, change);
      if (outcome !== 'applied') return { refused: outcome };
      return change.durable ? forceToDisk(file, dir).then(() => ({ version })) : { version };
    }
    throw new StoreUnavailableError(restless);
  };

  /** Appends a change. Undefined if it does not count, because it came after a seal, or was not written. */
  const append = (file: RecordFile, placed: PlacedChange): Outcome | undefined => {
    let end = file.size;
    try {
      end += writeWhole(file.fd, changeText(placed));
    } catch (error) {
      if (codeOf(error) !== 'EBADF') throw error;
      // It was opened for reading only. This says why, or it may be written to by now.
      drop(file);
      closeSync(openSync(file.path, 'r+'));
      return undefined;
    }
    const { push, durable } = placed.change;
    if (push === undefined && durable !== true && file.isEnd(end)) {
      file.size = end;
      return file.applyChange(placed);
    }
    // Another process has appended something, too; or the places of lines are needed; or a durable change
    // must not go to a file that has been removed by hand. One that was sealed first is continued elsewhere.
    const outcome = file.readOn(placed.version);
    if (file.seal !== undefined || !file.isUnlinked()) return outcome;
    drop(file);
    return undefined;
  };

  /** What is due after a change. It may fail: the next change or a sweep tries again. */
  const tidy = (file: RecordFile, at: number, { trim, forget }: RecordChange) => {
    try {
      if (file.state.until <= at) erase(file);
      else if (forget || file.size > Math.max(maxFileSize, 2 * file.stateSize)) {
        seal(file, 'continued');
        const next = current(file.id, false);
        if (forget && !hasLines(file)) removeFiles(file.base, file.number + 1, spoiled);
        if (trim !== undefined && next !== undefined) removeTrimmed(next);
      } else if (trim !== undefined) removeTrimmed(file);
    } catch {}
  };

  const lines = (id: string, from: number, to: number): string[] => {
    const file = alive(id);
    if (file === undefined) return [];
    const { base, state } = file;
    const { first: oldest } = state;
    const first = Math.max(from, oldest);
    let last = Math.min(to, state.last);
    const found = new Array<string>(Math.max(0, last - first + 1)).fill('');
    const collect = (each: RecordFile) => {
      const start = Math.max(first, each.firstLine);
      for (const [at, text] of each.linesIn(start, last).entries()) found[start - first + at] = text;
      last = Math.min(last, each.firstLine - 1);
    };
    collect(file);
    let end: number | undefined = file.firstLine - 1;
    const damaged: string[] = [];
    for (let number = file.number - 1; number >= 1 && first <= last; number -= 1) {
      const before = lastLineBefore(base, number);
      if ((before ?? 0) < last) {
        const older = openFile(id, base, number);
        try {
          older?.readOn();
          if (older === undefined || older.isDamaged || older.state.last !== (end ?? older.state.last))
            damaged.push(`${base}.${number}`);
          if (older !== undefined) collect(older);
        } finally {
          older?.close();
        }
      }
      end = before;
    }
    // Another process may have removed lines meanwhile.
    if (alive(id)?.state.first !== oldest) return lines(id, from, to);
    for (const path of damaged) disk.reportDamage(path);
    return found;
  };

  const alive = (id: string): RecordFile | undefined => {
    const file = current(id, false);
    return file === undefined || isGone(file.state, clock(id)) ? undefined : file;
  };

  /** The last file of a record, read to its end; undefined if there is no record and none may be created. */
  const current = (id: string, mayCreate: boolean): RecordFile | undefined => {
    for (;;) {
      const cached = openFiles.get(id);
      const file = cached ?? openLast(id, mayCreate);
      if (file === undefined) return undefined;
      try {
        file.readOn();
        if (file.isDamaged && file.seal === undefined) {
          disk.reportDamage(file.path);
          seal(file, 'continued');
        }
        if (file.seal === undefined) return keep(file);
        if (file.isContinued || mayCreate) makeNext(file, nextVersion());
      } catch (error) {
        // A full disk: what can be read of a damaged record, or before its seal, still counts.
        if (!mayCreate && (file.isDamaged || file.isContinued)) return keep(file);
        drop(file);
        throw error;
      }
      drop(file);
      // If this process knew the file of a removed record, there may be a newer one.
      if (file.seal.end === 'expired' && !mayCreate && cached === undefined) return undefined;
    }
  };

  const openLast = (id: string, mayCreate: boolean): RecordFile | undefined => {
    const base = basePath(dir, id);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const last = fileNumbers(base).at(-1);
      if (last === undefined && !mayCreate) return undefined;
      if (last === undefined) makeFolder(dirname(base), 0o700);
      const file = openFile(id, base, last ?? 1, last === undefined);
      if (file === undefined) continue;
      let isLast = last !== undefined;
      try {
        // Another process may have made files meanwhile, and removed the first one.
        isLast ||= fileNumbers(base).at(-1) === 1;
      } finally {
        if (!isLast) file.close();
      }
      if (isLast) return file;
    }
    throw new StoreUnavailableError(restless);
  };

  const keep = (file: RecordFile): RecordFile => {
    openFiles.put(file.id, file);
    return file;
  };

  const drop = (file: RecordFile) => {
    if (openFiles.get(file.id) === file) openFiles.delete(file.id);
    file.close();
  };

  /** The last files of recently used records. */
  const openFiles = createRecentCache<RecordFile>(maxOpen, {
    sizeOf: ({ size }) => Math.max(1, size / usualFile),
    onDrop: drop,
  });

  /** Ends a file. Returns whether this is the seal that counts: another process may have been faster. */
  const seal = (file: RecordFile, end: End): boolean => {
    const version = nextVersion();
    writeWhole(file.fd, sealText(version, clock(file.id), end));
    file.readOn();
    return file.seal?.version === version;
  };

  /**
   * Removes a record that is gone. Only the process whose seal counts removes the files, because afterwards
   * the name may be used again.
   */
  const erase = (file: RecordFile): boolean => {
    if (!seal(file, 'expired')) return false;
    if (!file.isUnlinked()) removeFiles(file.base, file.number + 1);
    drop(file);
    return true;
  };

  /** A removal that was cut short is completed: after a last file that is sealed comes an empty one. */
  const remove = async (id: string): Promise<void> => {
    while (fileNumbers(basePath(dir, id)).length > 0) {
      const file = current(id, true) as RecordFile;
      append(file, { version: nextVersion(), at: clock(id), change: removal });
      if (erase(file)) return syncFolder(dirname(file.base));
    }
  };

  const sweep = async () => {
    for await (const id of idsIn(dir, '')) {
      try {
        const wasOpen = openFiles.get(id) !== undefined;
        const file = current(id, true) as RecordFile;
        if (isGone(file.state, clock(id))) erase(file);
        if (!wasOpen) drop(file);
      } catch {
        // One that cannot be read or written stays; the others are not its concern.
      }
      await nextTurn();
    }
  };

  return {
    read: (id, names = [], known) =>
      disk.answer(() => {
        const { version, fields, first, last } = alive(id)?.state ?? newRecordState();
        const values = known === version ? [] : names.map((name) => fields.get(name));
        return { version, values, first, last };
      }),
    fields: (id) => disk.answer(() => new Map(alive(id)?.state.fields)),
    lines: (id, from, to) => disk.answer(() => lines(id, from, to)),
    commit: (id, change) => disk.answerNow(() => commit(id, change)),
    remove: (id) => disk.answer(() => remove(id)),
    ids: (prefix) => idsIn(dir, prefix),
    sweep: () => disk.answer(sweep),
    problem: disk.problem,
    async close() {
      for (const file of openFiles.values()) drop(file);
    },
  };
}

/** Also the names of the file and of its folders, up to `dir`. */
async function forceToDisk(file: RecordFile, dir: string): Promise<void> {
  const handle = await open(file.path).catch((error) => {
    // It continues in the next file, which was forced to disk at its creation, or the record was removed.
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await handle?.datasync().finally(() => handle.close());
  if (handle !== undefined && file.isNameSafe) return;
  for (let each = dirname(file.base); each.startsWith(dir); each = dirname(each)) await syncFolder(each);
  file.isNameSafe = true;
}

/** Makes the file after a sealed one. @param version makes its first name unique */
function makeNext(file: RecordFile, version: string): void {
  const { isContinued } = file;
  const made = `${file.path}~${version}`;
  const fd = openSync(made, 'wx', 0o600);
  try {
    giveToOwnerOf(dirname(made), fd);
    writeWhole(fd, stateText(isContinued ? file.state : newRecordState()));
    fdatasyncSync(fd);
    // A file without a name belongs to a record that has been removed: it has no next one.
    if (file.isUnlinked()) return;
    linkSync(made, `${file.base}.${file.number + 1}`);
  } catch (error) {
    // Without a name, it was removed with a record that another process has erased meanwhile.
    if (!['EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
  } finally {
    closeSync(fd);
    rmSync(made, { force: true });
  }
  if (isContinued && hasLines(file)) return;
  // After a power failure, at least one of them must be there.
  const folder = openSync(dirname(file.base), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  removeFiles(file.base, file.number + 1, numbered);
}

function hasLines({ state }: RecordFile): boolean {
  return state.first <= state.last;
}

/** Removes the files all of whose lines were trimmed. */
function removeTrimmed({ base, number, state }: RecordFile): void {
  const isAllTrimmed = (next: number) =>
    next <= number && (lastLineBefore(base, next) ?? Number.POSITIVE_INFINITY) < state.first;
  removeFiles(base, fileNumbers(base).findLast(isAllTrimmed) ?? 0);
}
