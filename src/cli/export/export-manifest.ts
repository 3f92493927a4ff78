import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import * as v from 'valibot';
import { RefusedError } from '../program/command-errors.ts';
import type { HeldFolder } from './held-folder.ts';

/** Lists what an export wrote: the next one replaces and removes nothing else. */
export const manifestName = '.typebadge-export.json';
const largestManifest = 1024 * 1024;
const manifestSchema = v.object({ files: v.array(v.pipe(v.string(), v.check(isPlainPath))) });

/** What an earlier export wrote; undefined where there was none. Refuses a list that somebody else could have written. */
export async function readManifest(folder: HeldFolder): Promise<string[] | undefined> {
  const handle = await openManifest(folder);
  if (handle === undefined) return undefined;
  const name = `${folder.name}/${manifestName}`;
  try {
    const problem = distrust(await handle.stat());
    if (problem !== undefined) refuse(name, problem);
    return parseManifest(name, await handle.readFile('utf8'));
  } finally {
    await handle.close();
  }
}

export function toManifestText(files: readonly string[]): string {
  return `${JSON.stringify({ files }, null, 2)}\n`;
}

function parseManifest(name: string, text: string): string[] {
  try {
    return v.parse(manifestSchema, JSON.parse(text)).files;
  } catch {
    return refuse(name, 'is not a list that an export wrote');
  }
}

/** A pipe in the place of the list must not make the command wait, so O_NONBLOCK. */
async function openManifest({ path, name }: HeldFolder): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = `${path}/${manifestName}`;
  try {
    if ((await lstat(file)).isSymbolicLink()) refuse(`${name}/${manifestName}`, 'is a symbolic link');
    return await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function distrust(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'is not a file';
  if (stats.size > largestManifest) return 'is larger than any list of an export';
  if (process.getuid === undefined) return undefined; // Windows knows neither owner nor mode
  if (stats.uid !== process.getuid()) return `belongs to another user (uid ${stats.uid})`;
  if ((stats.mode & 0o002) !== 0) return 'is not trusted: anyone may change it';
  return stats.nlink === 1 ? undefined : 'is not trusted: it has a second name elsewhere';
}

function refuse(name: string, problem: string): never {
  throw new RefusedError(
    `${name} ${problem}, so nobody knows what an earlier export wrote; choose an empty folder`,
  );
}

function isPlainPath(name: string): boolean {
  const isPlain = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
  return !/[\\:\0]/.test(name) && name !== manifestName && name.split('/').every(isPlain);
}
