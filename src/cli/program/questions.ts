import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type CommandIo, DeclinedError, RefusedError, UsageError } from './command-io.ts';

/** Asks on the terminal; anything but a clear yes is a no, including Ctrl+C. */
export async function askYesNo(question: string, io: CommandIo): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const streams = { input: io.in as Readable, output: io.out as unknown as Writable };
  return (await confirm({ message: question, initialValue: false, ...streams })) === true;
}

/** Asks for a secret without showing it, or reads it from a pipe. Surrounding blanks are removed. */
export async function readSecret(question: string, io: CommandIo): Promise<string> {
  if (io.in.isTTY !== true) return (await readInput(io, 'any token')).trim();
  const { isCancel, password } = await import('@clack/prompts');
  const streams = { input: io.in as Readable, output: io.err as unknown as Writable };
  const answer = await password({ message: question, ...streams });
  if (isCancel(answer)) throw new DeclinedError('nothing was changed');
  return answer.trim();
}

/** In bytes; far more than a message or a token may have. */
const maxInput = 65_536;

/** All bytes of a stream, if they are at most `max`. */
export async function readStream(stream: Readable, max: number, problem: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > max) throw new UsageError(problem);
  }
  return Buffer.concat(chunks);
}

/** All of standard input. @param bound completes the error "standard input is longer than …" */
export async function readInput(io: CommandIo, bound: string): Promise<string> {
  const bytes = await readStream(io.in, maxInput, `standard input is longer than ${bound}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError('standard input is not UTF-8 text');
  }
}

/** The user's editor, a command line: `$VISUAL`, on a terminal that can draw, else `$EDITOR`. */
export function editorOf({ env }: CommandIo): string {
  const visual = env.TERM === 'dumb' ? undefined : env.VISUAL?.trim();
  const editor = visual || env.EDITOR?.trim();
  if (editor) return editor;
  throw new UsageError('no editor is known: set VISUAL or EDITOR, such as EDITOR=nano');
}

export async function openEditor(editor: string, path: string): Promise<void> {
  // Ctrl+C in an editor is one of its own keys: this program must outlive it.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    const code = await run(editor, path);
    if (code === 0) return;
    if (code === 126 || code === 127)
      throw new UsageError(`the editor "${editor}" cannot be started; set VISUAL or EDITOR to another`);
    throw new RefusedError(`the editor "${editor}" failed (${code}), so nothing was changed`);
  } finally {
    process.off('SIGINT', ignore);
  }
}

/** Uses the shell, because the variable may hold options: `code --wait`. Resolves to exit code or signal. */
function run(editor: string, path: string): Promise<number | string> {
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { shell: true, stdio: 'inherit' })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, editor, path], { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
  });
}
