import { createWorkQueue } from '../../../../kit/work-queue.ts';

export interface WriteBehindOptions {
  /** Writes all changes. `isRetry`: the last write failed, and an unknown part of it may be there. */
  readonly write: (isRetry: boolean) => Promise<void>;
  /** Called when writing begins to fail. It is retried. */
  readonly onProblem: (problem: Error) => void;
  /** How long a change may wait, and how long to wait after a failed write; in milliseconds. */
  readonly delay: number;
  readonly retryDelay: number;
}

/** Writes after a delay, once for all changes in the meantime, one write at a time. */
export interface WriteBehind {
  /** Notes that something has changed. Very cheap. */
  wake(): void;
  /** Writes all changes so far. Resolves to false if that failed; it is then retried. */
  flush(): Promise<boolean>;
  isFailing(): boolean;
  /** Writes the remaining changes and stops. */
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
  /** Calls made during a write share the next one. */
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
