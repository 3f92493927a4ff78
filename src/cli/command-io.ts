import type { Readable } from 'node:stream';

/** A stream that text is written to; `isTTY` and `columns` where it is a terminal. */
export interface TextOut {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Everything that a command takes from its surroundings, so that a test can give it others. */
export interface CommandIo {
  readonly in: Readable & { readonly isTTY?: boolean };
  readonly out: TextOut;
  readonly err: TextOut;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export function newProcessIo(): CommandIo {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', endQuietly);
  return { in: stdin, out: stdout, err: stderr, env, cwd: process.cwd(), now: Date.now };
}

/** A reader that has seen enough (`| head`) is no failure; a full disk behind `>` is one. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`Error: The output could not be written (${error.message}).\n`);
  process.exitCode = 1;
}

/** Whether somebody sits there who can answer. Under continuous integration a terminal may be there, but nobody is. */
export function isInteractive(io: CommandIo): boolean {
  const isAutomatic = [io.env.CI, io.env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== '0' && value !== 'false',
  );
  return io.in.isTTY === true && io.out.isTTY === true && !isAutomatic && io.env.TERM !== 'dumb';
}

/** Columns to write in: those of the terminal, or 80 for a file or a pipe. */
export function columnsOf(out: TextOut): number {
  return out.isTTY === true && out.columns !== undefined && out.columns > 0 ? out.columns : 80;
}
