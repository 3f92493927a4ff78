import type { Readable } from 'node:stream';

/** A stream that text is written to; `isTTY` and `columns` if it is a terminal. */
export interface TextOut {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The inputs and outputs of a command, which tests replace. */
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

export class Invocation {
  exitCode = 0;

  constructor(readonly io: CommandIo) {}
}

/** Whether a person can answer questions; a terminal under continuous integration has nobody. */
export function isInteractive(io: CommandIo): boolean {
  const isAutomatic = [io.env.CI, io.env.CONTINUOUS_INTEGRATION].some(
    (value) => value && value !== '0' && value !== 'false',
  );
  return io.in.isTTY === true && io.out.isTTY === true && !isAutomatic && io.env.TERM !== 'dumb';
}

/** Wrong usage: the sentence says what was wrong and what would be right; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Parses what was given on the command line or in a variable; what cannot be parsed is wrong usage. */
export function parseGiven<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The person at the terminal declined. That is not an error, but nothing was done: exit code 1. */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError';
}

/** The command is valid, but cannot be carried out now: exit code 1. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
