import { fittingLines, safeText } from '../../kit/terminal-text.ts';
import { visibleLines } from '../../kit/visible-text.ts';
import { ContentError } from '../../server/stores/content/content.ts';
import { type CommandIo, DeclinedError, type Invocation, RefusedError, UsageError } from './command-io.ts';
import { columnsOf, createPaint, type Paint, type TextOut } from './paint.ts';

/** The output of a command: `value` for programs, `text` for people. */
export interface Report {
  /** Printed by `--json`, as one document. */
  readonly value: unknown;
  readonly text: (paint: Paint, columns: number) => string;
  /** For people on standard error; programs find those of a change in `value`. */
  readonly warnings?: readonly string[];
  /** Default: 0. */
  readonly exitCode?: number;
}

export interface ReportOptions {
  readonly json?: boolean | undefined;
}

/** Runs a command and prints its report or, with `--json`, its error as JSON; resolves to the exit code. */
export async function present(
  io: CommandIo,
  options: ReportOptions,
  run: () => Promise<Report>,
): Promise<number> {
  try {
    const report = await run();
    if (options.json) io.out.write(`${jsonText(report.value)}\n`);
    else printForPeople(io, report);
    return report.exitCode ?? 0;
  } catch (error) {
    return presentError(error, io, options);
  }
}

/** Like `present`, and sets the exit code of the command line. */
export async function presentIn(
  invocation: Invocation,
  options: ReportOptions,
  run: (io: CommandIo) => Promise<Report>,
): Promise<void> {
  const { io } = invocation;
  invocation.exitCode = await present(io, options, () => run(io));
}

/** Prints why a command failed; returns the exit code. Rethrows faults of the program. */
function presentError(error: unknown, io: CommandIo, options: ReportOptions): number {
  if (error instanceof DeclinedError) {
    printLines(io.err, asSentence(safeText(error.message)));
    return 1;
  }
  const known = knownError(error);
  if (known === undefined) throw error;
  if (options.json) io.out.write(`${jsonText(known.value)}\n`);
  else printLines(io.err, `${createPaint(io.err, io.env).bad('Error:')} ${known.value.error}`);
  return known.exitCode;
}

/** JSON itself escapes neither C1 controls nor direction marks; the meaning stays the same. */
function jsonText(value: unknown): string {
  return visibleLines(JSON.stringify(value, null, 2));
}

function printForPeople(io: CommandIo, { text: format, warnings = [] }: Report): void {
  const text = format(createPaint(io.out, io.env), columnsOf(io.out));
  if (text !== '') printLines(io.out, text);
  const paint = createPaint(io.err, io.env);
  for (const warning of warnings)
    printLines(io.err, `${paint.warn('Note:')} ${asSentence(safeText(warning))}`);
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
function printLines(out: TextOut, text: string): void {
  const lines = safeLines(text.replace(/\n$/, ''));
  out.write(`${out.isTTY === true ? fittingLines(lines, columnsOf(out)) : lines}\n`);
}

// Only the codes that `paint` writes; any other, such as hidden text (8), is foreign.
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const ownCodes = /(\u001B\[(?:[0-4]|7|2[2-7]|3[0-79]|90)m|\n)/;

/** A text made safe for the terminal: only our lines and colours keep their control characters. */
function safeLines(text: string): string {
  return text
    .split(ownCodes)
    .map((piece, at) => (at % 2 === 1 ? piece : safeText(piece)))
    .join('');
}

function knownError(error: unknown) {
  if (error instanceof UsageError)
    return { exitCode: 2, value: { error: asSentence(visibleInput(error.message)), code: 'USAGE' } };
  if (error instanceof RefusedError)
    return { exitCode: 1, value: { error: asSentence(safeText(error.message)), code: 'REFUSED' } };
  if (!(error instanceof ContentError)) return undefined;
  const { message, file, problems } = error;
  return {
    exitCode: 1,
    value: {
      error: asSentence(safeText(message)),
      code: 'CONTENT',
      ...(file === undefined ? {} : { file }),
      ...(problems.length > 0 ? { problems } : {}),
    },
  };
}

/** Wrong usage repeats what was typed, or what a script took from elsewhere; its own line breaks stay. */
function visibleInput(text: string): string {
  return text.split('\n').map(safeText).join('\n');
}

/** Reasons are in lower case, for use after a colon; alone they need a capital and a full stop. */
function asSentence(text: string): string {
  const first = /^[a-z]+(?= )/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…:]$/.test(first) ? first : `${first}.`;
}
