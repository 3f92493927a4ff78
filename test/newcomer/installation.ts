import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../src/server/package-files.ts';
import { isWholePath, type NewcomerMachine } from './fresh-clone.ts';
import { listInstalledPackages } from './package-lock.ts';

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

/**
 * Installs the archive into a folder, without what is for development only: by npm on the whole path, else by laying
 * out what npm would, from the packages of this repository.
 */
export async function installArchive(
  archive: string,
  folder: string,
  { env }: NewcomerMachine,
): Promise<void> {
  await mkdir(folder);
  if (isWholePath) {
    await run('npm', ['install', '--omit=dev', archive], { cwd: folder, env });
    return;
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { typebadge: archive } }));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await run('tar', ['-xzf', archive, '-C', modules]);
  await run('mv', [join(modules, 'package'), join(modules, 'typebadge')]);
  await symlink(join('..', 'typebadge', 'bin', 'typebadge.js'), join(modules, '.bin', 'typebadge'));
  for (const name of listInstalledPackages()) {
    await cp(packageFile(...name.split('/')), join(folder, name), { recursive: true });
  }
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
