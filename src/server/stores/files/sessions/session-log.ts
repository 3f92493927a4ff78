import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredSession } from '../../ports.ts';
import { sessionLogVersion, toEventLine } from '../../session-events/session-event.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { type Told, tellSession } from './session-telling.ts';
import { createWriteBehind, type WriteBehind } from './write-behind.ts';

/** How long a change may wait in memory, and how long writing waits after it failed; in milliseconds. */
const delay = 400;
const retryDelay = 2_000;
/** Characters after which a write begins: memory does not grow with what is waiting. */
const writeLength = 256 * 1024;
/** A log is rewritten when it has grown to this many bytes, and to twice what it began with. */
const longestLog = 4 * 1024 * 1024;

export interface SessionLogOptions {
  /** This server's own folder: nobody else writes there. */
  readonly dir: string;
  /** A session as it is now; undefined when it is gone. */
  readonly sessionOf: (id: string) => StoredSession | undefined;
  readonly allIds: () => Iterable<string>;
  /** Told when writing begins to fail. What could not be written is tried again. */
  readonly onProblem: (problem: Error) => void;
  /** Bytes after which the log is rewritten. Default: 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Writes open sessions behind, so that they survive the death of this process: what has changed is appended to a log now
 * and then, a session as a whole at first and from then on its new inputs only. It is not forced to the platter:
 * sessions must survive their process, finished rounds (in the journal) the machine.
 */
export interface SessionLog extends Pick<WriteBehind, 'flush' | 'isFailing' | 'close'> {
  /** Says that a session is new, used, changed or gone. Costs next to nothing. */
  changed(id: string): void;
  /** Is rewritten at the next writing, so that nothing is left of what is gone. */
  rewrite(): void;
}

export function createSessionLog(options: SessionLogOptions): SessionLog {
  const { dir, sessionOf, maxBytes = longestLog } = options;
  let waiting = new Set<string>();
  let told = new Map<string, Told>();
  let generation = 1;
  let file: LogFile | undefined;
  let initialSize = 0;
  let isStale = false;

  const path = () => join(dir, `log-${String(generation).padStart(6, '0')}.jsonl`);
  const append = async (lines: string[]) => {
    file ??= await openLogFile(path());
    await file.append(lines.join(''));
  };
  const appendChanges = async () => {
    const ids = waiting;
    waiting = new Set();
    let lines: string[] = [];
    let length = 0;
    for (const id of ids) {
      for (const line of tell(id)) {
        length += line.length;
        lines.push(line);
      }
      if (length < writeLength) continue;
      await append(lines);
      lines = [];
      length = 0;
    }
    if (lines.length > 0) await append(lines);
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
  const tell = (id: string): string[] => {
    const stored = sessionOf(id);
    if (stored === undefined) {
      told.delete(id);
      return [toEventLine({ v: sessionLogVersion, gone: id })];
    }
    const { events, told: now } = tellSession(told.get(id), stored);
    told.set(id, now);
    return events.map(toEventLine);
  };
  const write = async (isRetry: boolean) => {
    const mustBeginAnew = isRetry || isStale;
    isStale = false;
    if (!mustBeginAnew) await appendChanges();
    const size = file?.size() ?? 0;
    if (mustBeginAnew || (size > maxBytes && size > 2 * initialSize)) await beginAnew();
  };
  const writing = createWriteBehind({ write, onProblem: options.onProblem, delay, retryDelay });
  return {
    changed(id) {
      waiting.add(id);
      writing.wake();
    },
    rewrite() {
      isStale = true;
      writing.wake();
    },
    flush: writing.flush,
    isFailing: writing.isFailing,
    async close() {
      await writing.close();
      await closeFile();
    },
  };
}
