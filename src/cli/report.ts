import { ContentError } from '../server/badge/content-error.ts';
import { type CommandIo, columnsOf, type TextOut } from './command-io.ts';
import { createPaint, type Paint } from './paint.ts';
import { widthOf, wrap } from './text-width.ts';
import { UsageError } from './usage-error.ts';

/** What a command has to say: for programs as `value`, for people as text. */
export interface Report {
  /** Printed by `--json`, as one document. */
  readonly value: unknown;
  readonly toText: (paint: Paint, columns: number) => string;
  /** For people on standard error; programs find them in `value`. */
  readonly warnings?: readonly string[];
  /** Default: 0. */
  readonly exitCode?: number;
  /** What goes on after the report was printed. */
  readonly followUp?: () => Promise<void>;
}

export interface ReportOptions {
  readonly json?: boolean | undefined;
}

/** It was understood, but cannot be done as things are: exit code 1. */
export class RefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** Runs a command and prints its report; resolves to the exit code. With `--json`, errors are JSON on standard output, too. */
export async function present(
  io: CommandIo,
  options: ReportOptions,
  run: () => Promise<Report>,
): Promise<number> {
  try {
    const report = await run();
    if (options.json) io.out.write(`${JSON.stringify(report.value, null, 2)}\n`);
    else printForPeople(io, report);
    await report.followUp?.();
    return report.exitCode ?? 0;
  } catch (error) {
    const known = toKnownError(error);
    if (known === undefined) throw error;
    if (options.json) io.out.write(`${JSON.stringify(known.value, null, 2)}\n`);
    else printLines(io.err, `${createPaint(io.err, io.env).bad('Error:')} ${known.value.error}`);
    return known.exitCode;
  }
}

function printForPeople(io: CommandIo, { toText, warnings = [] }: Report): void {
  const text = toText(createPaint(io.out, io.env), columnsOf(io.out));
  if (text !== '') printLines(io.out, text);
  const paint = createPaint(io.err, io.env);
  for (const warning of warnings) printLines(io.err, `${paint.warn('Note:')} ${toSentence(warning)}`);
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
function printLines(out: TextOut, text: string): void {
  const lines = text.replace(/\n$/, '').split('\n');
  const columns = columnsOf(out);
  const fitting =
    out.isTTY === true
      ? lines.flatMap((line) => (widthOf(line) > columns ? wrap(line, columns) : line))
      : lines;
  out.write(`${fitting.join('\n')}\n`);
}

function toKnownError(error: unknown) {
  if (error instanceof UsageError)
    return { exitCode: 2, value: { error: toSentence(error.message), code: 'USAGE' } };
  if (error instanceof RefusedError)
    return { exitCode: 1, value: { error: toSentence(error.message), code: 'REFUSED' } };
  if (!(error instanceof ContentError)) return undefined;
  const { message, file, problems } = error;
  return {
    exitCode: 1,
    value: {
      error: toSentence(message),
      code: 'CONTENT',
      ...(file === undefined ? {} : { file }),
      ...(problems.length > 0 ? { problems } : {}),
    },
  };
}

/** Reasons are written in lower case, to be put behind a colon; alone they begin with a capital and end with a full stop. */
function toSentence(text: string): string {
  const first = /^[a-z]+(?= )/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}
