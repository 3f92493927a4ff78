import { createWorkQueue } from '../../../../kit/work-queue.ts';

export interface WriteBehindOptions {
  /** Writes what waits. `isRetry`: the last writing failed, and nobody knows how much of it is there. */
  readonly write: (isRetry: boolean) => Promise<void>;
  /** Called when writing begins to fail. It is tried again. */
  readonly onProblem: (problem: Error) => void;
  /** How long a change may wait, and how long writing waits after it failed; in milliseconds. */
  readonly delay: number;
  readonly retryDelay: number;
}

/** Writes a moment later, once for all that changed meanwhile, one writing at a time. */
export interface WriteBehind {
  /** Something has changed. Costs next to nothing. */
  wake(): void;
  /** Writes everything that has changed up to now. Resolves to false where that failed; it is then tried again. */
  flush(): Promise<boolean>;
  isFailing(): boolean;
  /** Writes the rest and stops. */
  close(): Promise<void>;
}

export function createWriteBehind({ write, onProblem, delay, retryDelay }: WriteBehindOptions): WriteBehind {
  let timer: NodeJS.Timeout | undefined;
  const queue = createWorkQueue();
  let next: Promise<boolean> | undefined;
  let state: 'working' | 'failing' = 'working';
  let isClosed = false;

  const wake = () => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => void flush(), state === 'failing' ? retryDelay : delay).unref();
  };
  const attempt = async () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      await write(state === 'failing');
      state = 'working';
    } catch (error) {
      if (state === 'working') onProblem(error as Error);
      state = 'failing';
      wake();
    }
    return state === 'working';
  };
  /** Calls while something is being written share the writing after it. */
  const flush = () => {
    next ??= queue.run(() => {
      next = undefined;
      return attempt();
    });
    return next;
  };
  return {
    wake,
    flush,
    isFailing: () => state === 'failing',
    async close() {
      isClosed = true;
      await flush();
      clearTimeout(timer);
    },
  };
}
