import { columnsOf, type TextOut } from './paint.ts';

/**
 * The output may lose its reader (`| head -1`) or its disk. The first is not a failure and ends
 * silently; the second is one. Must be called before anything is written: without a listener, Node ends with
 * a stack.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosedPipe(error)) return;
    process.stderr.write(`Error: The output could not be written (${error.message}).\n`);
    process.exitCode = 1;
  });
  // Where even errors cannot be written, the exit code alone can say so.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosedPipe(error)) process.exitCode = 1;
  });
}

function isClosedPipe({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}

/** Prints what is wrong. A terminal would break a long line inside a word; a file keeps it whole. */
export async function printProblem(text: string, err: TextOut): Promise<void> {
  if (err.isTTY !== true) {
    err.write(text);
    return;
  }
  const { fittingLines } = await import('../../kit/terminal-text.ts'); // only where something is wrong
  err.write(fittingLines(text, columnsOf(err)));
}
