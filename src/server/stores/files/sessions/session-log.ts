import type { StoredSession } from '../../ports.ts';
import { createLogSeries } from './log-series.ts';
import { createSessionChanges } from './session-changes.ts';
import { createWriteBehind, type WriteBehind } from './write-behind.ts';

/** How long a change may wait in memory, and how long writing waits after it failed; in milliseconds. */
const delay = 400;
const retryDelay = 2_000;
/** A log is rewritten when it has grown to this many bytes, and to twice what it began with. */
const longestLog = 4 * 1024 * 1024;

export interface SessionLogOptions {
  /** This server's own folder: nobody else writes there. */
  readonly dir: string;
  /** A session as it is now; undefined when it is gone. */
  readonly sessionOf: (id: string) => StoredSession | undefined;
  readonly allIds: () => Iterable<string>;
  /** Called when writing begins to fail. What could not be written is tried again. */
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
  const { dir, sessionOf, allIds, maxBytes = longestLog } = options;
  const changes = createSessionChanges(sessionOf);
  const logs = createLogSeries(dir);
  let initialSize = 0;
  let isStale = false;

  const appendChanges = async () => {
    for (const text of changes.take()) await logs.append(text);
  };
  /** A log that failed may end in the middle of a line; another one has every session as a whole, and replaces it. */
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
