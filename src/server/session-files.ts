import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './session.ts';

/** How long a change may wait in memory, in milliseconds. */
const writeDelay = 400;
/** Files written at once: as many as Node.js has threads for files. */
const lanes = 4;

export interface SessionFilesOptions {
  /** This server's own folder: nobody else writes there. */
  readonly dir: string;
  /** The session as it stands; undefined when it is gone, and its file goes too. */
  readonly sessionOf: (id: string) => Session | undefined;
  /** Told when writing begins to fail. What could not be written is tried again. */
  readonly onProblem: (problem: Error) => void;
}

/** Writes open sessions behind to one file each, so that they survive the death of this process. */
export interface SessionFiles {
  /** Says that a session is new, changed or gone. Costs next to nothing. */
  changed(id: string): void;
  /** Writes everything that has changed up to now. Resolves when it was tried; false where something is unwritten. */
  flush(): Promise<boolean>;
  /** Writes the rest and stops. */
  close(): Promise<void>;
}

export function sessionFileName(id: string): string {
  return `${id}.json`;
}

export function createSessionFiles({ dir, sessionOf, onProblem }: SessionFilesOptions): SessionFiles {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<boolean> = Promise.resolve(true);
  let next: Promise<boolean> | undefined;
  let isFailing = false;
  let isClosed = false;

  const changed = (id: string) => {
    waiting.add(id);
    timer ??= isClosed ? undefined : setTimeout(() => void flush(), writeDelay).unref();
  };
  /** Whoever asks while a batch is being written shares the batch after it. */
  const flush = () => {
    next ??= running.then(() => {
      next = undefined;
      running = writeBatch();
      return running;
    });
    return next;
  };
  const writeBatch = async () => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...waiting];
    waiting = new Set();
    const queue = ids.values();
    const results = await Promise.all(Array.from({ length: lanes }, () => writeAll(queue)));
    const problem = results.find((result) => result !== undefined);
    if (problem !== undefined && !isFailing) onProblem(problem);
    isFailing = problem !== undefined;
    return !isFailing;
  };
  const writeAll = async (ids: Iterator<string>): Promise<Error | undefined> => {
    let problem: Error | undefined;
    for (let { value: id, done } = ids.next(); !done; { value: id, done } = ids.next()) {
      try {
        await writeOne(join(dir, sessionFileName(id)), sessionOf(id));
      } catch (error) {
        problem = error as Error;
        changed(id);
        // Somebody cleared the data folder: it is made again for the next try.
        await mkdir(dir, { recursive: true }).catch(() => undefined);
      }
    }
    return problem;
  };
  return {
    changed,
    flush,
    async close() {
      isClosed = true;
      await flush();
      clearTimeout(timer);
    },
  };
}

async function writeOne(path: string, session: Session | undefined): Promise<void> {
  if (session === undefined) {
    await rm(path, { force: true });
    return;
  }
  // Written beside and renamed: whoever reads finds the old text or the new one, never half of either. It is not forced
  // to the platter: a session must survive its process, the finished rounds in the journal must survive the machine.
  const draft = `${path}.new`;
  await writeFile(draft, JSON.stringify({ v: 1, ...session }));
  await rename(draft, path);
}
