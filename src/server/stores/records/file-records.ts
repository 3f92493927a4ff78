import { closeSync, fdatasyncSync, fstatSync, linkSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder, syncFolder } from '../../../kit/files/folder.ts';
import { createRecentCache } from '../../../kit/recent-cache.ts';
import { createDiskReports, type DiskReportsOptions } from './disk-reports.ts';
import { changeText, type End, sealText, stateText } from './file-lines.ts';
import {
  isEnd,
  lastLineBefore,
  linesIn,
  openFile,
  type RecordFile,
  readOn,
  writeWhole,
} from './record-file.ts';
import {
  codeOf,
  fileNumbers,
  idsIn,
  pathOf,
  placeOf,
  type RecordPlace,
  removeFile,
  removeFiles,
  removeSpoiled,
} from './record-folder.ts';
import {
  answerTo,
  applyEffects,
  createVersions,
  isGone,
  newRecordState,
  type Outcome,
  outcomeOf,
  type PlacedChange,
} from './record-state.ts';
import { type RecordChange, type Records, StoreUnavailableError } from './records.ts';

/** The records of a data folder. */
export function recordsFolder(dataDir: string): string {
  return join(dataDir, 'records');
}

export interface FileRecordsOptions extends DiskReportsOptions {
  /** Created when the first record is written. */
  readonly dir: string;
  readonly clock?: () => number;
  /** Files that are kept open, with the states of their records in memory; a long one counts as several. */
  readonly maxOpen?: number;
  /** Maximum size in bytes of a file before it is sealed, unless its first state is already half of that. */
  readonly maxFileSize?: number;
}

export interface FileRecords extends Records {
  /** Removes expired records from the disk; runs by itself every hour. */
  sweep(): Promise<void>;
  /** What the disk refused within the last minute, in a sentence. */
  problem(): string | undefined;
}

/** Maximum number of attempts of a change that comes after a seal; nearly always the second one succeeds. */
const maxAttempts = 20;
/** Milliseconds between two sweeps, and before the first one. */
const sweepEvery = 60 * 60 * 1000;
const firstSweepAfter = 60 * 1000;
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
  const { dir, clock = Date.now, maxOpen = 1_000, maxFileSize = 256 * 1024 } = options;
  const disk = createDiskReports(options);
  const nextVersion = createVersions();
  const safeFolders = new Set<string>();

  /**
   * Checks the conditions first on the record as this process knows it. If others have changed it since, the
   * order in the file refuses the change; if a condition fails, it is checked again after reading on.
   */
  const commit = (id: string, change: RecordChange): ReturnType<Records['commit']> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const at = clock();
      let file = attempt === 0 ? openFiles.get(id) : undefined;
      if (file?.denial !== undefined) drop(file);
      if (file === undefined || file.isClosed || outcomeOf(file.state, at, change) !== 'applied') {
        file = current(id, false);
        const state = file?.state ?? newRecordState();
        const outcome = outcomeOf(state, at, change);
        if (outcome !== 'applied') {
          const answer = answerTo(outcome, state.version);
          if (outcome !== 'repeated' || !change.durable || file === undefined) return answer;
          return forceToDisk(file).then(() => answer);
        }
        if (file === undefined || file.seal !== undefined) {
          file = current(id, true) as RecordFile;
          // Another process may have changed it meanwhile.
          if (outcomeOf(file.state, at, change) !== 'applied') continue;
        }
      }
      const version = nextVersion();
      const outcome = append(file, { version, at, change });
      if (outcome === undefined) continue;
      const answer = answerTo(outcome, version);
      tidy(file, at, change);
      return change.durable && 'version' in answer ? forceToDisk(file).then(() => answer) : answer;
    }
    throw new StoreUnavailableError('Another program keeps changing the files of the data folder.');
  };

  /**
   * Appends a change whose conditions hold, and returns its outcome; undefined if it does not count, because
   * it came after a seal.
   */
  const append = (file: RecordFile, placed: PlacedChange): Outcome | undefined => {
    if (file.denial !== undefined) throw file.denial;
    const end = file.size + writeWhole(file.fd, changeText(placed));
    const { push, durable, if: wanted } = placed.change;
    if (push === undefined && durable !== true && isEnd(file, end)) {
      file.size = end;
      if (wanted !== undefined) file.hasGap = false;
      applyEffects(file.state, placed);
      return 'applied';
    }
    // Another process has appended something, too; or the places of lines are needed; or a durable change
    // must not go to a file that has been removed.
    if (fstatSync(file.fd).nlink > 0) return readOn(file, placed.version);
    drop(file);
    return undefined;
  };

  /** What is due after a change. It may fail: the next change or a sweep tries again. */
  const tidy = (file: RecordFile, at: number, { trim, forget }: RecordChange) => {
    try {
      if (file.state.until <= at) erase(file, 'expired');
      else if (forget || file.size > Math.max(maxFileSize, 2 * file.stateSize)) {
        seal(file, 'continued');
        current(file.id, false);
        if (forget) removeSpoiled(file.place, file.number + 1);
      } else if (trim !== undefined) removeTrimmed(file);
    } catch {}
  };

  const forceToDisk = async (file: RecordFile): Promise<void> => {
    const { place, number } = file;
    const handle = await open(pathOf(place, number)).catch((error) => {
      // It continues in the next file, which was forced to disk at its creation, or the record was removed.
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    await handle?.datasync().finally(() => handle.close());
    if (handle === undefined || !file.isNameSafe) await forceName(place);
    file.isNameSafe = true;
  };

  const forceName = async ({ folder }: RecordPlace) => {
    for (let each = folder; each.startsWith(dir); each = dirname(each)) {
      if (each !== folder && safeFolders.has(each)) break;
      await syncFolder(each);
      safeFolders.add(each);
    }
  };

  const lines = (id: string, from: number, to: number): string[] => {
    const file = alive(id);
    if (file === undefined) return [];
    const { place, number: newest } = file;
    const { first: oldest } = file.state;
    const first = Math.max(from, oldest);
    let last = Math.min(to, file.state.last);
    const found = new Array<string>(Math.max(0, last - first + 1)).fill('');
    const collect = (each: RecordFile) => {
      const start = Math.max(first, each.firstLine);
      for (const [at, text] of linesIn(each, start, last).entries()) found[start - first + at] = text;
      last = Math.min(last, each.firstLine - 1);
    };
    collect(file);
    let end: number | undefined = file.firstLine - 1;
    const spoiled: string[] = [];
    for (let number = newest - 1; number >= 1 && first <= last; number -= 1) {
      const before = lastLineBefore(place, number);
      if ((before ?? 0) < last) {
        const older = openFile(id, place, number);
        try {
          if (older !== undefined) readOn(older);
          if (older === undefined || older.isDamaged || older.state.last !== (end ?? older.state.last))
            spoiled.push(pathOf(place, number));
          if (older !== undefined) collect(older);
        } finally {
          if (older !== undefined) closeSync(older.fd);
        }
      }
      end = before;
    }
    // Another process may have removed lines meanwhile.
    if (alive(id)?.state.first !== oldest) return lines(id, from, to);
    for (const path of spoiled) disk.reportDamage(path);
    return found;
  };

  const alive = (id: string): RecordFile | undefined => {
    const file = current(id, false);
    return file === undefined || isGone(file.state, clock()) ? undefined : file;
  };

  /** The last file of a record, read to its end; undefined if there is no record. */
  const current = (id: string, mayCreate: boolean): RecordFile | undefined => {
    for (let cached = openFiles.get(id); ; cached = undefined) {
      const file = cached ?? openLast(id, mayCreate);
      if (file === undefined) return undefined;
      try {
        readOn(file);
        if (file.isDamaged && file.seal === undefined) setAside(file, mayCreate);
        if (file.seal === undefined || file.denial !== undefined) return keep(file);
        if (file.seal.end === 'continued' || (mayCreate && cached === undefined)) makeNext(file);
      } catch (error) {
        // A full disk: the record can be read up to its seal.
        if (!mayCreate && file.seal?.end === 'continued') return keep(file);
        drop(file);
        throw error;
      }
      drop(file);
      // If this process knew the file of a removed record, there may be a newer one.
      if (file.seal.end !== 'continued' && !mayCreate && cached === undefined) return undefined;
    }
  };

  const openLast = (id: string, mayCreate: boolean): RecordFile | undefined => {
    const place = placeOf(dir, id);
    for (;;) {
      const last = fileNumbers(place).at(-1);
      if (last === undefined && !mayCreate) return undefined;
      const file = openFile(id, place, last ?? 1, last === undefined);
      if (file === undefined) {
        if (last === undefined) makeFolder(place.folder, 0o700);
        continue;
      }
      if (last !== undefined || fileNumbers(place).at(-1) === 1) return file;
      // Another process has made files meanwhile, and removed the first one.
      closeSync(file.fd);
    }
  };

  const keep = (file: RecordFile): RecordFile => {
    openFiles.put(file.id, file);
    return file;
  };

  const drop = (file: RecordFile) => {
    if (openFiles.get(file.id) === file) openFiles.delete(file.id);
    if (!file.isClosed) closeSync(file.fd);
    file.isClosed = true;
  };

  /** The last files of recently used records. */
  const openFiles = createRecentCache<RecordFile>(maxOpen, {
    sizeOf: ({ size }) => Math.max(1, size / usualFile),
    onDrop: drop,
  });

  /** Continues a damaged file, as far as it is readable, in the next one. On a full disk it stays in use. */
  const setAside = (file: RecordFile, mustWrite: boolean) => {
    disk.reportDamage(pathOf(file.place, file.number));
    try {
      seal(file, 'continued');
    } catch (error) {
      if (mustWrite) throw error;
    }
  };

  /** Makes the file after a sealed one. */
  const makeNext = (file: RecordFile) => {
    const { place, number } = file;
    const isContinued = file.seal?.end === 'continued';
    const next = pathOf(place, number + 1);
    const made = `${next}~${nextVersion()}`;
    const fd = openSync(made, 'wx', 0o600);
    try {
      writeWhole(fd, stateText(isContinued ? file.state : newRecordState()));
      fdatasyncSync(fd);
      // A file without a name belongs to a record that has been removed: it has no next one.
      if (fstatSync(file.fd).nlink === 0) return;
      linkSync(made, next);
    } catch (error) {
      // Without a name, it was removed with a record that another process has erased meanwhile.
      if (!['EEXIST', 'ENOENT'].includes(codeOf(error))) throw error;
    } finally {
      closeSync(fd);
      removeFile(made);
    }
    if (!isContinued || file.state.first > file.state.last) removeFiles(place, number + 1);
  };

  /** Ends a file. Returns whether this is the seal that counts: another process may have been faster. */
  const seal = (file: RecordFile, end: End): boolean => {
    if (file.denial !== undefined) throw file.denial;
    const version = nextVersion();
    writeWhole(file.fd, sealText(version, clock(), end));
    readOn(file);
    return file.seal?.version === version;
  };

  /** Only the process whose seal counts removes the files, because afterwards the name may be used again. */
  const erase = (file: RecordFile, end: 'removed' | 'expired'): boolean => {
    if (!seal(file, end)) return false;
    if (fstatSync(file.fd).nlink > 0) removeFiles(file.place, file.number + 1);
    removeSpoiled(file.place, file.number + 2);
    drop(file);
    return true;
  };

  const removeTrimmed = ({ place, number, state }: RecordFile) => {
    const isAllTrimmed = (next: number) =>
      next <= number && (lastLineBefore(place, next) ?? Number.POSITIVE_INFINITY) < state.first;
    const next = fileNumbers(place).findLast(isAllTrimmed);
    if (next === undefined) return;
    removeFiles(place, next);
    removeSpoiled(place, next);
  };

  /**
   * Removes the files of a record whose removal was cut short after its seal: as the next file, an empty one
   * is made, sealed and removed.
   */
  const removeLeftovers = (id: string) => {
    const file = openLast(id, false);
    if (file === undefined) return;
    try {
      readOn(file);
      if (file.seal === undefined || file.seal.end === 'continued') return;
      makeNext(file);
      const next = openFile(id, file.place, file.number + 1);
      if (next === undefined) return;
      try {
        readOn(next);
        erase(next, 'expired');
      } finally {
        drop(next);
      }
    } finally {
      drop(file);
    }
  };

  const sweep = async () => {
    for await (const id of idsIn(dir, '')) {
      try {
        sweepRecord(id);
      } catch {
        // One that cannot be read or written stays; the others are not its concern.
      }
      await nextTurn();
    }
  };

  const sweepRecord = (id: string) => {
    removeLeftovers(id);
    const wasOpen = openFiles.get(id) !== undefined;
    const file = current(id, false);
    if (file !== undefined && isGone(file.state, clock())) erase(file, 'expired');
    if (file !== undefined && !wasOpen) drop(file);
  };

  const sweepQuietly = () => void sweep().catch(() => undefined);
  const timers = [setTimeout(sweepQuietly, firstSweepAfter), setInterval(sweepQuietly, sweepEvery)];
  for (const timer of timers) timer.unref();

  return {
    read: (id, names, known) =>
      disk.answer(() => {
        const { version, fields, first, last } = alive(id)?.state ?? newRecordState();
        const values = known === version ? undefined : names.map((name) => fields.get(name));
        return { version, values, first, last };
      }),
    fields: (id) => disk.answer(() => new Map(alive(id)?.state.fields)),
    lines: (id, from, to) => disk.answer(() => lines(id, from, to)),
    commit: (id, change) => disk.answerNow(() => commit(id, change)),
    remove: (id) =>
      disk.answer(async () => {
        for (let file = current(id, false); file !== undefined; file = current(id, false)) {
          if (erase(file, 'removed')) return syncFolder(file.place.folder);
        }
        removeLeftovers(id);
      }),
    ids: (prefix) => idsIn(dir, prefix),
    sweep: () => disk.answer(sweep),
    problem: disk.problem,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const file of openFiles.values()) drop(file);
    },
  };
}
