import { Readable } from 'node:stream';
import type { CommandIo } from '../../src/cli/program/command-io.ts';
import { presentIn, type Report, type ReportOptions } from '../../src/cli/program/report.ts';

export interface ScreenOptions {
  /** Columns of a terminal; undefined means a pipe. */
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Screen {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a command as the command line does, on a terminal that is only text. */
export async function onScreen(
  { columns, env = {}, now }: ScreenOptions,
  run: (io: CommandIo) => Promise<Report>,
  options: ReportOptions = {},
): Promise<Screen> {
  const written = { out: '', err: '' };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  });
  const io: CommandIo = {
    in: Readable.from([]),
    out: stream('out'),
    err: stream('err'),
    env: { TYPEBADGE_PORT: '1', ...env },
    cwd: '/',
    now: () => now,
  };
  const invocation = { io, exitCode: 0 };
  await presentIn(invocation, options, run);
  return { ...written, code: invocation.exitCode };
}
