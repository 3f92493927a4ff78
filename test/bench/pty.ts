import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { packageFile } from '../../src/kit/package-files.ts';

export interface TypedKeys {
  /** Before and after each key was written, and when and how much was read, in seconds on the monotonic clock. */
  readonly sent: readonly (readonly [number, number])[];
  readonly read: readonly (readonly [number, number])[];
}

export interface PtyStart {
  readonly command: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
}

/** A typist at a pseudo-terminal, in a process of its own, so that it does not measure itself. */
export interface Pty {
  start(start: PtyStart): Promise<{ pid: number }>;
  /** Writes each key so many seconds after the one before. */
  type(keys: readonly string[], intervals: readonly number[]): Promise<TypedKeys>;
  /** Writes as fast as the terminal takes it. */
  burst(text: string): Promise<void>;
  /** Reads until nothing has come for `quiet` seconds, and gives the end of all that came. */
  wait(quiet: number, limit?: number): Promise<string>;
  /** Processor time of the program so far, seconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
  close(): void;
}

/** Undefined where there is no Python, whose standard library has pseudo-terminals. */
export function openPty(): Pty | undefined {
  if (spawnSync('python3', ['--version']).status !== 0) return undefined;
  const child: ChildProcess = spawn('python3', ['-u', packageFile('test', 'bench', 'pty-typist.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdin === null || child.stdout === null) return undefined;
  const { stdin } = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async <T>(request: Record<string, unknown>): Promise<T> => {
    stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error('The typist has ended.');
    return JSON.parse(value) as T;
  };
  return {
    start: (start) => ask({ do: 'start', ...start }),
    type: (keys, intervals) => ask({ do: 'type', keys, intervals }),
    burst: (text) => ask({ do: 'burst', text }),
    wait: async (quiet, limit = 30) => (await ask<{ text: string }>({ do: 'wait', quiet, limit })).text,
    cpu: async () => (await ask<{ seconds: number }>({ do: 'cpu' })).seconds,
    stop: () => ask({ do: 'stop' }),
    close: () => stdin.end(),
  };
}
