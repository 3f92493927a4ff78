import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StoreUnavailableError } from '../ports.ts';
import { changeText, sealText, stateText } from './file-lines.ts';
import {
  appendText,
  applyAt,
  closeFile,
  codeOf,
  linesIn,
  openFile,
  type RecordFile,
  readOn,
} from './record-file.ts';
import { answerTo, newRecordState, outcomeOf, type PlacedChange } from './record-state.ts';
import type { RecordChange, Records } from './records.ts';
import { createVersions } from './versions.ts';

export interface FileRecordsOptions {
  /** Made when the first record is written. */
  readonly dir: string;
  readonly clock?: () => number;
  /** Records whose files are kept open. */
  readonly maxOpen?: number;
}

/** Bytes of a file that is sealed before it grows further, unless its first state is already half of that. */
const maxFileSize = 256 * 1024;
/** Tries of a change that comes after a seal or after an incomplete entry; the second one is nearly always the last. */
const maxAttempts = 20;
const flush = promisify(fdatasync);

/**
 * Records in append-only files of one machine. Several processes may use the folder at once, without locks: each change is
 * appended in one write, and the order in the file decides. Whoever reads it applies a change only if its conditions hold there;
 * a writer reads on to its own change to learn whether it was applied.
 */
export function createFileRecords({ dir, clock = Date.now, maxOpen = 1_000 }: FileRecordsOptions): Records {
  const nextVersion = createVersions();
  const files = new Map<string, RecordFile>();
  const syncs = new Map<RecordFile, { running: number; next: Promise<void> | undefined }>();
  const syncedFolders = new Set<string>();

  const folderOf = (id: string) => {
    const at = id.lastIndexOf('/') + 1;
    const spread = createHash('sha1').update(id).digest('hex').slice(0, 2);
    return { folder: join(dir, spread, id.slice(0, at)), name: id.slice(at) };
  };

  const drop = (file: RecordFile) => {
    if (files.get(file.id) === file) files.delete(file.id);
    if (syncs.has(file)) return; // closed when it is synced
    closeFile(file);
  };

  const keep = (file: RecordFile) => {
    files.delete(file.id);
    files.set(file.id, file);
    if (files.size <= maxOpen) return;
    const [oldest] = files.values();
    if (oldest !== undefined) drop(oldest);
  };

  /** Opens the last file of a record; undefined if it has none. */
  const openLast = (id: string, mayCreate: boolean): RecordFile | undefined => {
    if (!isRecordId(id)) throw new Error(`not an id of a record: ${id}`);
    const { folder, name } = folderOf(id);
    const openNumber = (number: number, create: boolean) =>
      openFile(id, join(folder, `${name}.${number}`), number, create);
    for (;;) {
      const last = fileNumbers(folder, name).at(-1);
      if (last !== undefined) {
        const file = openNumber(last, false);
        if (file !== undefined) return file;
      } else if (!mayCreate) return undefined;
      else {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = openNumber(1, true);
        // While the folder was listed, another process may have made the next file and removed the one before.
        if (file !== undefined && fileNumbers(folder, name).at(-1) === 1) return file;
        if (file !== undefined) closeFile(file);
      }
    }
  };

  /** The last file of a record, read to its end; undefined if there is none. */
  const current = (id: string, mayCreate: boolean): RecordFile | undefined => {
    for (let cached = files.get(id); ; cached = undefined) {
      const file = cached ?? openLast(id, mayCreate);
      if (file === undefined) return undefined;
      readOn(file);
      if (file.seal === undefined) {
        keep(file);
        return file;
      }
      try {
        if (file.seal.end === 'continued' || (mayCreate && cached === undefined)) makeNext(file);
        else if (cached === undefined) return undefined;
      } finally {
        drop(file);
      }
    }
  };

  /** Makes the file after a sealed one. Every process makes the same, so it does not matter whose is first. */
  const makeNext = (file: RecordFile) => {
    const { folder, name } = folderOf(file.id);
    const isContinued = file.seal?.end === 'continued';
    const made = join(folder, `~${nextVersion()}`);
    const fd = openSync(made, 'wx', 0o600);
    try {
      writeSync(fd, stateText(isContinued ? file.state : newRecordState()));
      fdatasyncSync(fd);
      // A file without a name belongs to a record that has been removed: it has no next one.
      if (fstatSync(file.fd).nlink === 0) return;
      linkSync(made, join(folder, `${name}.${file.number + 1}`));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      closeSync(fd);
      unlinkSync(made);
    }
    if (file.state.first > file.state.last || !isContinued) removeOlder(folder, name, file.number + 1);
  };

  const removeOlder = (folder: string, name: string, below: number) => {
    for (const number of fileNumbers(folder, name)) {
      if (number < below) unlinkSync(join(folder, `${name}.${number}`));
    }
  };

  const seal = (file: RecordFile, end: 'continued' | 'removed' | 'expired') => {
    const version = nextVersion();
    appendText(file, sealText(version, clock(), end));
    readOn(file);
    return file.seal?.version === version;
  };

  const sync = (file: RecordFile): Promise<void> => {
    const state = syncs.get(file) ?? { running: 0, next: undefined };
    syncs.set(file, state);
    state.next ??= Promise.resolve().then(async () => {
      state.next = undefined;
      state.running += 1;
      try {
        await flush(file.fd);
        await syncFolders(dirname(file.path));
      } finally {
        state.running -= 1;
        if (state.running === 0 && state.next === undefined) {
          syncs.delete(file);
          if (files.get(file.id) !== file) closeFile(file);
        }
      }
    });
    return state.next;
  };

  const syncFolders = async (folder: string) => {
    if (syncedFolders.has(folder)) return;
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  };

  const commit = async (id: string, change: RecordChange) => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const at = clock();
      let file = attempt === 0 ? files.get(id) : undefined;
      if (file === undefined || outcomeOf(file.state, { at, change }) !== 'applied') {
        file = current(id, false);
        const state = file?.state ?? newRecordState();
        const outcome = outcomeOf(state, { at, change });
        if (outcome !== 'applied') {
          if (outcome === 'repeated' && change.durable && file !== undefined) await sync(file);
          return answerTo(outcome, state.version);
        }
        file ??= current(id, true) as RecordFile;
      }
      const version = nextVersion();
      const outcome = append(file, { version, at, change });
      if (outcome === undefined) continue;
      const answer = answerTo(outcome, version);
      const synced = change.durable && 'version' in answer ? sync(file) : undefined;
      finish(file, at);
      await synced;
      return answer;
    }
    throw new StoreUnavailableError('The files of the data folder are changed by something else.');
  };

  /** Appends a change, and returns what became of it; undefined if it does not count, because it came after a seal. */
  const append = (file: RecordFile, placed: PlacedChange) => {
    const length = appendText(file, changeText(placed));
    const { size, nlink } = fstatSync(file.fd);
    const isAlone = size === file.size + length;
    if (nlink === 0) {
      drop(file);
      return undefined;
    }
    if (!isAlone || placed.change.push !== undefined) {
      const outcome = readOn(file, size, placed.version);
      if (outcome === undefined) file.isTorn = true;
      return outcome;
    }
    file.size = size;
    return applyAt(file, placed, []);
  };

  /** What is due after a change. Nothing of it is needed: the next change or a sweep tries again. */
  const finish = (file: RecordFile, at: number) => {
    keep(file);
    try {
      if (file.state.until <= at) erase(file, 'expired');
      else if (file.size > Math.max(maxFileSize, 2 * file.stateSize)) {
        seal(file, 'continued');
        current(file.id, false);
      }
    } catch {}
  };

  /** Removes a record. Only the process whose seal is the first removes its files, because the name may be used again then. */
  const erase = (file: RecordFile, end: 'removed' | 'expired') => {
    if (!seal(file, end)) return false;
    const { folder, name } = folderOf(file.id);
    removeOlder(folder, name, file.number + 1);
    drop(file);
    return true;
  };

  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileProblem(error);
    }
  };

  const alive = (id: string) => {
    const file = current(id, false);
    return file === undefined || file.state.until <= clock() ? undefined : file;
  };

  return {
    read: (id, names, known) =>
      guarded(() => {
        const state = alive(id)?.state ?? newRecordState();
        const values = known === state.version ? undefined : names.map((name) => state.fields.get(name));
        return { version: state.version, values, first: state.first, last: state.last };
      }),
    fields: (id) => guarded(() => new Map(alive(id)?.state.fields)),
    lines: (id, from, to) =>
      guarded(() => {
        const file = alive(id);
        if (file === undefined) return [];
        const [first, last] = [Math.max(from, file.state.first), Math.min(to, file.state.last)];
        const found: string[][] = [];
        const { folder, name } = folderOf(id);
        for (let part: RecordFile = file; ; ) {
          found.unshift(linesIn(part, first, last));
          const number = part.number - 1;
          if (first >= part.firstLine || number < 1) break;
          if (part !== file) closeFile(part);
          const older = openFile(id, join(folder, `${name}.${number}`), number, false);
          if (older === undefined) break;
          readOn(older);
          part = older;
        }
        return found.flat();
      }),
    commit: (id, change) => guarded(() => commit(id, change)),
    remove: (id) =>
      guarded(() => {
        for (let file = current(id, false); file !== undefined; file = current(id, false)) {
          if (erase(file, 'removed')) return;
        }
      }),
    async *ids(prefix) {
      for (const spread of await listFolder(dir)) yield* idsIn(join(dir, spread), '', prefix);
    },
    async close() {
      for (const file of [...files.values()]) drop(file);
    },
  };
}

async function* idsIn(folder: string, id: string, prefix: string): AsyncIterable<string> {
  const found = new Set<string>();
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const next = id + entry.name;
    if (entry.isDirectory()) {
      if (prefix.startsWith(`${next}/`) || `${next}/`.startsWith(prefix))
        yield* idsIn(join(folder, entry.name), `${next}/`, prefix);
    } else if (/^[a-z0-9._-]+\.\d+$/.test(entry.name)) found.add(next.slice(0, next.lastIndexOf('.')));
  }
  for (const each of found) if (each.startsWith(prefix)) yield each;
}

async function listFolder(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch {
    return [];
  }
}

/** The numbers of a record's files, in order. */
function fileNumbers(folder: string, name: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  const start = `${name}.`;
  return entries
    .filter((entry) => entry.startsWith(start) && /^\d+$/.test(entry.slice(start.length)))
    .map((entry) => Number(entry.slice(start.length)))
    .sort((a, b) => a - b);
}

function isRecordId(id: string): boolean {
  return /^[a-z0-9_-][a-z0-9._-]*(?:\/[a-z0-9_-][a-z0-9._-]*)*$/.test(id) && id.length <= 200;
}

function fileProblem(error: unknown): Error {
  const code = codeOf(error);
  const sentence = sentences[code];
  return sentence === undefined ? (error as Error) : new StoreUnavailableError(sentence, { cause: error });
}

const noRoom = 'The disk of the data folder is full.';
const sentences: Readonly<Record<string, string>> = {
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: noRoom,
  EACCES: 'This user may not write to the data folder.',
  EPERM: 'This user may not write to the data folder.',
  EROFS: 'The data folder is on a read-only file system.',
  EIO: 'The disk of the data folder fails.',
  EMFILE: 'This process has too many open files.',
  ENFILE: 'This machine has too many open files.',
};
