import { open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../folder.ts';
import { toGoneLine, toInputsLine, toSessionLine } from './session-log-line.ts';
import type { StoredSession } from './session-store.ts';

/** How long a change may wait in memory, and how long writing waits after it failed; in milliseconds. */
const writeDelay = 400;
const retryDelay = 2_000;
/** Sessions told with one system call. */
const sessionsPerWrite = 250;
/** A log is begun anew when it has grown to this many bytes, and to twice what it began with. */
const longestLog = 4 * 1024 * 1024;

export interface SessionLogOptions {
  /** This server's own folder: nobody else writes there. */
  readonly dir: string;
  /** A session as it stands; undefined when it is gone. */
  readonly sessionOf: (id: string) => StoredSession | undefined;
  readonly allIds: () => Iterable<string>;
  /** Told when writing begins to fail. What could not be written is tried again. */
  readonly onProblem: (problem: Error) => void;
  /** Bytes after which the log is begun anew. Default: 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Writes open sessions behind, so that they survive the death of this process: what has changed is appended to a log now
 * and then, a session as a whole at first and from then on its new inputs only. It is not forced to the platter:
 * sessions must survive their process, finished rounds (in the journal) the machine.
 */
export interface SessionLog {
  /** Says that a session is new, used, changed or gone. Costs next to nothing. */
  changed(id: string): void;
  /** Writes everything that has changed up to now. Resolves to false where that failed; it is then tried again. */
  flush(): Promise<boolean>;
  /** Whether the last writing failed, so that the next one takes time: it tells every session anew. */
  isFailing(): boolean;
  /** Writes the rest and stops. */
  close(): Promise<void>;
}

/** What the log says of a session by now. */
interface Told {
  /** Length of the inputs' text. */
  readonly inputs: number;
  /** Whatever else can change. */
  readonly rest: readonly unknown[];
}

export function createSessionLog(options: SessionLogOptions): SessionLog {
  const { dir, sessionOf, onProblem, maxBytes = longestLog } = options;
  let waiting = new Set<string>();
  let told = new Map<string, Told>();
  let generation = 1;
  let file: LogFile | undefined;
  let initialSize = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<boolean> = Promise.resolve(true);
  let next: Promise<boolean> | undefined;
  let isFailing = false;
  let isClosed = false;

  const path = () => join(dir, `log-${String(generation).padStart(6, '0')}.jsonl`);
  const wakeUp = () => {
    timer ??= isClosed
      ? undefined
      : setTimeout(() => void flush(), isFailing ? retryDelay : writeDelay).unref();
  };
  /** Whoever asks while something is being written shares the writing after it. */
  const flush = () => {
    next ??= running.then(() => {
      next = undefined;
      running = write();
      return running;
    });
    return next;
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      if (!isFailing) await appendChanges();
      const size = file?.size() ?? 0;
      if (isFailing || (size > maxBytes && size > 2 * initialSize)) await beginAnew();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onProblem(error as Error);
      isFailing = true;
      wakeUp();
    }
    return !isFailing;
  };
  const appendChanges = async () => {
    const ids = [...waiting];
    waiting = new Set();
    for (let at = 0; at < ids.length; at += sessionsPerWrite) {
      const text = ids
        .slice(at, at + sessionsPerWrite)
        .map(tell)
        .join('');
      file ??= await openLogFile(path());
      await file.append(text);
    }
  };
  const closeFile = async () => {
    const open = file;
    file = undefined;
    await open?.close().catch(() => undefined);
  };
  /** A log that failed may end in the middle of a line; another one tells every session as a whole, and replaces it. */
  const beginAnew = async () => {
    const old = path();
    await closeFile();
    generation++;
    told = new Map();
    for (const id of options.allIds()) waiting.add(id);
    try {
      await appendChanges();
    } catch (error) {
      await closeFile();
      await rm(path(), { force: true }).catch(() => undefined);
      throw error;
    }
    initialSize = file?.size() ?? 0;
    await rm(old, { force: true });
  };
  const tell = (id: string): string => {
    const stored = sessionOf(id);
    if (stored === undefined) {
      told.delete(id);
      return toGoneLine(id);
    }
    const before = told.get(id);
    const now = toTold(stored);
    told.set(id, now);
    const isMoreInput = before?.rest.every((value, at) => value === now.rest[at]);
    return isMoreInput ? toInputsLine(stored, before?.inputs ?? 0) : toSessionLine(stored);
  };
  return {
    changed(id) {
      waiting.add(id);
      wakeUp();
    },
    flush,
    isFailing: () => isFailing,
    async close() {
      isClosed = true;
      await flush();
      clearTimeout(timer);
      await closeFile();
    },
  };
}

function toTold({ session: { round, roundCount, unsaved } }: StoredSession): Told {
  return { inputs: round?.inputs.length ?? 0, rest: [roundCount, unsaved, round?.id, round?.timing] };
}

/**
 * A log that is kept open, because each step of a writing waits a turn of a server that may be busy, and all of them
 * together must not take long.
 */
interface LogFile {
  /** Appends with one system call to a file that is as long as it was left. */
  append(text: string): Promise<void>;
  size(): number;
  close(): Promise<void>;
}

async function openLogFile(path: string): Promise<LogFile> {
  await makeFolder(dirname(path));
  const handle = await open(path, 'ax');
  const { ino } = await handle.stat();
  let size = 0;
  return {
    async append(text) {
      // Looked up by its name: another server that took this one for dead may have taken the folder away.
      const present = await stat(path);
      if (present.size !== size || present.ino !== ino)
        throw new Error('somebody else changed the log of open sessions');
      const bytes = Buffer.from(text);
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length)
        throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
      size += bytesWritten;
    },
    size: () => size,
    close: () => handle.close(),
  };
}
