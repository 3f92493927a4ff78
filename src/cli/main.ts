import { isAbsolute } from 'node:path';
import { runCommandLine } from './command-line.ts';
import { newProcessIo } from './program/command-io.ts';

watchOutput();
ignoreRelativeFolders();
const code = await runCommandLine(process.argv.slice(2), newProcessIo());
// An output that could not be written has its own code.
process.exitCode = code === 0 ? (process.exitCode ?? 0) : code;

/**
 * The output may lose its reader (`| head -1`) or its disk. The first is not a failure and ends silently; the
 * second is one. Without a listener, Node ends with a stack.
 */
function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED') return;
      // Where even errors cannot be written, the exit code alone can say so.
      process.exitCode = 1;
      if (stream === process.stdout)
        process.stderr.write(
          `Error: The output could not be written (${message}). What was to be changed may be changed all the same.\n`,
        );
    });
}

/** As the XDG specification demands; otherwise the files would be in the current folder. */
function ignoreRelativeFolders(): void {
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME']) {
    if (!isAbsolute(process.env[name] ?? '/')) delete process.env[name];
  }
}
