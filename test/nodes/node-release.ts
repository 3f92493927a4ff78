import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Node.js that lies in a folder of its own. */
export interface NodeRelease {
  /** Such as `v22.23.3`. */
  readonly version: string;
  /** Holds the program, and nothing else: to be put first on a PATH. */
  readonly bin: string;
}

/** Fetches the newest release of a line, such as 22, from the package registry. Nothing is installed. */
export async function fetchNode(line: number, folder: string): Promise<NodeRelease> {
  const home = join(folder, `node-${line}`);
  await mkdir(home, { recursive: true });
  // The program of one platform comes in a package of its own, which needs no install script.
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@${line}`;
  const { stdout: list } = await run('npm', ['view', name, 'version', '--json']);
  // A range names many releases.
  const releases: string[] = [JSON.parse(list)].flat();
  const newest = releases.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  await run('npm', ['pack', '--silent', name.replace(/@.*/, `@${newest}`), '--pack-destination', home]);
  const archive = (await readdir(home)).find((file) => file.endsWith('.tgz'));
  await run('tar', ['-xzf', archive ?? '', '-C', home], { cwd: home });
  const bin = join(home, 'package', 'bin');
  const { stdout } = await run(join(bin, 'node'), ['--version']);
  return { version: stdout.trim(), bin };
}
