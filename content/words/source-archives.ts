// Reads single files from the packages that the data is made from, after checking their versions.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Archive {
  readonly file: string;
  readonly sha256: string;
}

/** The path of an archive in `folder`. Throws if it is missing or another version. */
export function checkedArchive(folder: string, { file, sha256 }: Archive): string {
  const path = join(folder, file);
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== sha256)
    throw new Error(`${path} is another version: its SHA-256 is ${found}, not ${sha256}.`);
  return path;
}

/** The bytes of one file in a `.tgz` of npm or a `.deb` of Debian. */
export function readFromArchive(archive: string, path: string): Buffer {
  const options = { maxBuffer: 2 ** 28 };
  if (!archive.endsWith('.deb')) return execFileSync('tar', ['-xzOf', archive, path], options);
  const input = execFileSync('dpkg-deb', ['--fsys-tarfile', archive], options);
  return execFileSync('tar', ['-xOf', '-', `./${path}`], { ...options, input });
}

/** The paths of all files in a `.deb`. */
export function listArchive(archive: string): string[] {
  const input = execFileSync('dpkg-deb', ['--fsys-tarfile', archive], { maxBuffer: 2 ** 28 });
  const listed = execFileSync('tar', ['-tf', '-'], { input, encoding: 'utf8', maxBuffer: 2 ** 24 });
  return listed.split('\n').map((path) => path.replace(/^\.\//, ''));
}
