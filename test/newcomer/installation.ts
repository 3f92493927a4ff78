import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NewcomerMachine } from './fresh-clone.ts';

const run = promisify(execFile);

/** Packs the clone; resolves to the archive and the paths in it. */
export async function packClone({ clone, folder, env }: NewcomerMachine) {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: clone, env });
  // A build that speaks on standard output would come before it.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  return {
    archive: join(folder, filename as string),
    files: (files as { path: string }[]).map(({ path }) => path),
  };
}

/** Installs the archive into an empty folder, as a user does; resolves to all that npm says. The package needs no other, so no network. */
export async function installArchive(
  archive: string,
  folder: string,
  { env }: NewcomerMachine,
): Promise<string> {
  await mkdir(folder);
  const { stdout, stderr } = await run('npm', ['install', '--offline', archive], { cwd: folder, env });
  return stdout + stderr;
}

export interface Installation {
  readonly packages: number;
  /** What the files take on the disk, in MB of 1,000,000 bytes. */
  readonly megabytes: number;
}

/** Counts what lies in a folder of packages. */
export async function measureInstallation(folder: string): Promise<Installation> {
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const { blocks } = await stat(join(entry.parentPath, entry.name));
    return blocks * 512;
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const isPackage = /node_modules\/(?:@[^/]+\/)?[^/@.][^/]*$/;
  const manifests = entries.filter(
    ({ name, parentPath }) => name === 'package.json' && isPackage.test(parentPath),
  );
  return { packages: manifests.length, megabytes: bytes / 1e6 };
}
