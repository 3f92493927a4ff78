import type { StoredSession } from '../../ports.ts';
import { createLogSeries } from './log-series.ts';
import { createSessionChanges } from './session-changes.ts';
import { createWriteBehind, type WriteBehind } from './write-behind.ts';

/** How long a change may wait in memory, and how long to wait after a failed write; in milliseconds. */
const delay = 400;
const retryDelay = 2_000;
/** A log is rewritten when it has reached this many bytes and twice its initial size. */
const longestLog = 4 * 1024 * 1024;

export interface SessionLogOptions {
  /** This server's own folder, where nobody else writes. */
  readonly dir: string;
  /** The current state of a session; undefined if it no longer exists. */
  readonly sessionOf: (id: string) => StoredSession | undefined;
  readonly allIds: () => Iterable<string>;
  /** Called when writing begins to fail. It is retried. */
  readonly onProblem: (problem: Error) => void;
  /** Bytes after which the log is rewritten. Default: 4 MiB. */
  readonly maxBytes?: number;
}

/**
 * Writes open sessions in the background, so that they survive this process: changes are regularly appended to a log, at first
 * the whole session and then only its new inputs. The log is not forced to disk: sessions must survive their process, finished
 * rounds (in the journal) also a crash of the machine.
 */
export interface SessionLog extends Pick<WriteBehind, 'flush' | 'isFailing' | 'close'> {
  /** Notes that a session is new, used, changed or gone. Very cheap. */
  changed(id: string): void;
  /** Makes the next write start a new log, so that nothing of closed sessions remains. */
  rewrite(): void;
}

export function createSessionLog(options: SessionLogOptions): SessionLog {
  const { dir, sessionOf, allIds, maxBytes = longestLog } = options;
  const changes = createSessionChanges(sessionOf);
  const logs = createLogSeries(dir);
  let initialSize = 0;
  let isStale = false;

  const appendChanges = async () => {
    for (const text of changes.take()) await logs.append(text);
  };
  /** After a failure the log may end in the middle of a line; a new log with all sessions in full replaces it. */
  const startOver = async () => {
    changes.startOver(allIds());
    await logs.begin(appendChanges);
    initialSize = logs.size();
  };
  const write = async (isRetry: boolean) => {
    const mustStartOver = isRetry || isStale;
    isStale = false;
    if (!mustStartOver) await appendChanges();
    const size = logs.size();
    if (mustStartOver || (size > maxBytes && size > 2 * initialSize)) await startOver();
  };
  const writing = createWriteBehind({ write, onProblem: options.onProblem, delay, retryDelay });
  return {
    changed(id) {
      changes.add(id);
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
      await logs.close();
    },
  };
}
