import { spawn } from 'node:child_process';
import { RefusedError, UsageError } from './command-errors.ts';
import type { CommandIo } from './command-io.ts';

/** The user's editor, a command line: `$VISUAL`, on a terminal that can draw, else `$EDITOR`. */
export function editorOf({ env }: CommandIo): string {
  const visual = env.TERM === 'dumb' ? undefined : env.VISUAL?.trim();
  const editor = visual || env.EDITOR?.trim();
  if (editor) return editor;
  throw new UsageError('no editor is known: set VISUAL or EDITOR, such as EDITOR=nano');
}

/** Opens a file in an editor, and resolves once the user has closed it. */
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

/** By the shell, because the variable may hold options: `code --wait`. Resolves to the exit code, or the signal that ended it. */
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
