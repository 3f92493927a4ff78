import { fittingLines, safeText } from '../../kit/terminal-text.ts';
import { visibleLines } from '../../kit/visible-text.ts';
import { ContentError } from '../../server/stores/content/content.ts';
import {
  type CommandIo,
  DeclinedError,
  type Invocation,
  RefusedError,
  type TextOut,
  UsageError,
} from './command-io.ts';

/** The output of a command: `value` for programs, `text` for people. */
export interface Report {
  /** Printed by `--json`, as one document. */
  readonly value: unknown;
  readonly text: (paint: Paint, columns: number) => string;
  /** For people on standard error; programs find those of a change in `value`. */
  readonly warnings?: readonly string[];
  readonly exitCode?: number;
}

export interface ReportOptions {
  readonly json?: boolean | undefined;
}

/** Runs a command, prints its report or, with `--json`, its error as JSON, and sets the exit code. */
export async function presentIn(
  invocation: Pick<Invocation, 'io' | 'exitCode'>,
  { json = false }: ReportOptions,
  run: (io: CommandIo) => Promise<Report>,
): Promise<void> {
  const { io } = invocation;
  try {
    const { value, text, warnings = [], exitCode = 0 } = await run(io);
    invocation.exitCode = exitCode;
    if (json) return printJson(io, value);
    const shown = text(createPaint(io.out, io.env), columnsOf(io.out));
    if (shown !== '') printLines(io.out, shown);
    const note = createPaint(io.err, io.env).warn('Note:');
    for (const warning of warnings) printLines(io.err, `${note} ${asSentence(safeText(warning))}`);
  } catch (error) {
    invocation.exitCode = presentError(error, io, json);
  }
}

/** Prints why a command failed; returns the exit code. Faults of the program are never printed as JSON. */
export function presentError(error: unknown, io: CommandIo, json = false): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  // Wrong usage repeats what was typed, or what a script took from elsewhere; its own line breaks stay.
  const sentence = asSentence(error instanceof UsageError ? visibleLines(message) : safeText(message));
  const details = detailsOf(error);
  if (json && details !== undefined) printJson(io, { error: sentence, ...details });
  else if (error instanceof DeclinedError) printLines(io.err, sentence);
  else printLines(io.err, `${createPaint(io.err, io.env).bad('Error:')} ${sentence}`);
  if (io.env.TYPEBADGE_DEBUG && details === undefined) io.err.write(`${stack}\n`);
  return error instanceof UsageError ? 2 : 1;
}

/** What the JSON of an error has besides its sentence. */
function detailsOf(error: unknown): object | undefined {
  if (error instanceof UsageError) return { code: 'USAGE' };
  if (error instanceof RefusedError) return { code: 'REFUSED' };
  if (!(error instanceof ContentError)) return undefined;
  return { code: 'CONTENT', file: error.file, problems: error.problems };
}

/** JSON itself escapes neither C1 controls nor direction marks; the meaning stays the same. */
function printJson({ out }: CommandIo, value: unknown): void {
  out.write(`${visibleLines(JSON.stringify(value, null, 2))}\n`);
}

/** A terminal would break a long line inside a word; a file keeps it whole. */
export function printLines(out: TextOut, text: string): void {
  const lines = safeLines(text.replace(/\n$/, ''));
  out.write(`${out.isTTY === true ? fittingLines(lines, columnsOf(out)) : lines}\n`);
}

/** Parts of a text with a blank line between them; those that are false or empty are left out. */
export function paragraphs(...parts: readonly (string | readonly string[] | false)[]): string {
  const texts = parts.map((part) => (typeof part === 'object' ? part.join('\n') : part || ''));
  return texts.filter((text) => text !== '').join('\n\n');
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

/** Reasons are in lower case, for use after a colon; alone they need a capital and a full stop. */
export function asSentence(text: string): string {
  const first = /^[a-z]+(?= )/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…:]$/.test(first) ? first : `${first}.`;
}

/** Columns to write in: those of the terminal, or 80 for a file or a pipe. */
export function columnsOf(out: TextOut): number {
  return out.isTTY === true && out.columns !== undefined && out.columns > 0 ? out.columns : 80;
}

/** SGR codes (ECMA-48, 8.3.117) that begin and end a colour. They only emphasise what the words say. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  accent: [36, 39],
  link: [4, 24],
} as const;

export type Paint = { readonly [N in keyof typeof codes]: (text: string) => string };

/**
 * Colours on a terminal that can show them, unless NO_COLOR (no-color.org) asks for none. Libraries decide
 * once, for standard output; here each stream decides.
 */
export function createPaint(out: TextOut, env: NodeJS.ProcessEnv): Paint {
  const hasColours = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const brushes = Object.entries(codes).map(([name, [open, close]]) => [
    name,
    (text: string) => (hasColours ? `\u001B[${open}m${text}\u001B[${close}m` : text),
  ]);
  return Object.fromEntries(brushes);
}
