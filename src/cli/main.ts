import { isAbsolute } from 'node:path';
import { runCommandLine } from './command-line.ts';
import { newProcessIo } from './program/command-io.ts';
import { watchOutput } from './program/process-output.ts';

watchOutput();
ignoreRelativeFolders();
const code = await runCommandLine(process.argv.slice(2), newProcessIo());
// An output that could not be written has its own code.
process.exitCode = code === 0 ? (process.exitCode ?? 0) : code;

/** As the XDG specification demands; otherwise the files would be in the current folder. */
function ignoreRelativeFolders(): void {
  for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME']) {
    if (!isAbsolute(process.env[name] ?? '/')) delete process.env[name];
  }
}
