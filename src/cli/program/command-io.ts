import type { Readable } from 'node:stream';
import type { TextOut } from '../output/text-out.ts';

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
  return { in: stdin, out: stdout, err: stderr, env, cwd: process.cwd(), now: Date.now };
}

/** Whether somebody sits there who can answer. Under continuous integration a terminal may be there, but nobody is. */
export function isInteractive(io: CommandIo): boolean {
  const isAutomatic = [io.env.CI, io.env.CONTINUOUS_INTEGRATION].some(
    (value) => value !== undefined && value !== '0' && value !== 'false',
  );
  return io.in.isTTY === true && io.out.isTTY === true && !isAutomatic && io.env.TERM !== 'dumb';
}
