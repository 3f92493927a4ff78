import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { packageFile } from '../../src/kit/package-files.ts';

/** Seconds on the monotonic clock: before and after each key was written, and when something was read. */
export interface TypedKeys {
  readonly sent: readonly (readonly [number, number])[];
  readonly read: readonly number[];
}

export interface PtyStart {
  readonly command: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export type Pty = ReturnType<typeof openPty>;

/** A typist at a pseudo-terminal, in a process of its own, so that it does not measure itself. Ends with the bench. */
export function openPty() {
  const child = spawn('python3', ['-u', packageFile('test', 'bench', 'pty-typist.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (action: string, request: object = {}) => {
    child.stdin.write(`${JSON.stringify({ do: action, ...request })}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error('The typist has ended.');
    return JSON.parse(value);
  };
  return {
    /** Resolves to the process id. */
    start: (start: PtyStart): Promise<number> => call('start', start),
    /** Writes each key so many seconds after the one before. */
    type: (keys: readonly string[], intervals: readonly number[]): Promise<TypedKeys> =>
      call('type', { keys, intervals }),
    /** Reads until nothing has come for `quiet` seconds. */
    rest: (quiet: number): Promise<void> => call('rest', { quiet }),
    /** Reads until this is on the screen. */
    see: (text: string): Promise<void> => call('see', { text }),
    /** Processor time of the program so far, seconds. */
    cpu: (): Promise<number> => call('cpu'),
    stop: (): Promise<void> => call('stop'),
  };
}

/**
 * What a program finds that is started from nowhere. Variables of a developer's shell, such as NODE_EXTRA_CA_CERTS, double
 * Node's own start, and flatter every ratio to it.
 */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
}

/** Starts `play` without a server; resolves to its process id. */
export function startPlay(
  pty: Pty,
  home: string,
  mode: string,
  [columns, rows]: readonly [columns: number, rows: number],
): Promise<number> {
  const command = [process.execPath, packageFile('bin', 'typebadge.js'), 'play', ...mode.split(' ')];
  return pty.start({ command, columns, rows, env: cleanEnvironment(home) });
}
