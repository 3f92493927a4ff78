import { lstat, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import * as v from 'valibot';
import { replaceFile, sweepDraftsOf } from '../../kit/files/atomic-file.ts';
import { makeFolder } from '../../kit/files/folder.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { ContentError } from '../../server/stores/content/content.ts';
import { RefusedError } from '../program/command-io.ts';

/** Lists what an export wrote: the next one replaces and removes nothing else. */
const manifestName = '.typebadge-export.json';
const maxManifestBytes = 1024 * 1024;
const manifestSchema = v.object({ files: v.array(v.pipe(v.string(), v.check(isPlainPath))) });

export interface ExportedFile {
  /** Path below the folder, with slashes. */
  readonly name: string;
  readonly body: Buffer;
}

/** A folder that no export may write into, and its name for people. */
export interface ProtectedFolder {
  readonly path: string;
  readonly noun: string;
}

/**
 * Writes the files into `folder` (absolute path), and removes what an earlier export wrote and this one did
 * not. Follows no symbolic link. Rejects with a `RefusedError`, before anything is written, if the folder is
 * protected or something else has one of the names.
 */
export async function writeExport(
  folder: string,
  files: readonly ExportedFile[],
  protectedFolders: readonly ProtectedFolder[],
): Promise<void> {
  try {
    const names = files.map(({ name }) => name);
    await requireUnprotected(folder, names, protectedFolders);
    const listed = await readManifest(folder);
    await requireExported(folder, names, listed ?? []);
    if (listed === undefined && (await readdir(folder).catch(() => [])).length > 0)
      throw new RefusedError(`${folder} holds files that no export wrote; choose an empty folder`);
    const stale = (listed ?? []).filter((name) => !names.includes(name));
    makeFolder(folder);
    // Before the first file and after the last: whenever this is interrupted, everything written is listed.
    await writeManifest(folder, [...names, ...stale]);
    for (const { name, body } of files) {
      makeFolder(dirname(join(folder, name)));
      await sweepDraftsOf(join(folder, name)); // of an export that was killed
      await replaceFile(join(folder, name), body);
    }
    for (const name of stale) await removeFile(folder, name);
    await writeManifest(folder, names);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    const { message } = error as Error;
    throw new ContentError(`The export to ${folder} is not complete: ${message}`, folder, [], {
      cause: error,
    });
  }
}

/** Refuses a folder that is, contains or lies in a protected one; compares identities, not names. */
async function requireUnprotected(
  folder: string,
  names: readonly string[],
  protectedFolders: readonly ProtectedFolder[],
): Promise<void> {
  const { root } = parse(folder);
  const above = folder.slice(root.length).split(sep).filter(Boolean);
  const places = above.map((_, at) => join(root, ...above.slice(0, at + 1)));
  const below = names.flatMap((name) => (name.includes('/') ? [join(folder, dirname(name))] : []));
  const identities = new Set<string>();
  for (const place of [...places, ...new Set(below)]) {
    const found = await statAt(place);
    if (found === undefined) continue;
    if (!found.isDirectory()) throw new RefusedError(`${place} is not a folder; choose another`);
    identities.add(`${found.dev}:${found.ino}`);
  }
  for (const { path, noun } of protectedFolders) {
    const found = await stat(path, { bigint: true }).catch(() => undefined);
    const isInside =
      found === undefined ? isBelow(folder, path) : identities.has(`${found.dev}:${found.ino}`);
    if (isInside)
      throw new RefusedError(`${folder} lies in ${noun} (${path}); export to a folder outside it`);
  }
}

/** Refuses if a name is taken by anything but a file that an earlier export wrote. */
async function requireExported(
  folder: string,
  names: readonly string[],
  listed: readonly string[],
): Promise<void> {
  for (const name of new Set([...names, ...listed])) {
    const found = await statBelow(folder, name);
    if (found?.isDirectory() && names.includes(name))
      throw new RefusedError(`${join(folder, name)} is a folder; a file of the export has that name`);
    if (found?.isFile() && !listed.includes(name))
      throw new RefusedError(
        `${join(folder, name)} was not written by an export, and only such files are replaced; choose an empty folder`,
      );
  }
}

/** The entry with this name below the folder; refuses a symbolic link on the way. */
async function statBelow(folder: string, name: string) {
  const segments = name.split('/');
  for (const at of segments.keys()) {
    const found = await statAt(join(folder, ...segments.slice(0, at + 1)));
    if (found === undefined || at === segments.length - 1 || !found.isDirectory()) return found;
  }
  return undefined;
}

async function statAt(path: string) {
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new RefusedError(
      `${path} is a symbolic link, which an export does not follow; name the folder itself`,
    );
  return found;
}

/** What an earlier export wrote; undefined if there was none. Refuses a list that may be forged. */
async function readManifest(folder: string): Promise<string[] | undefined> {
  const path = join(folder, manifestName);
  const found = await statAt(path);
  if (found === undefined) return undefined;
  // Windows knows no owner.
  if (Number(found.uid) !== (process.getuid?.() ?? Number(found.uid)))
    throw new RefusedError(`${path} belongs to another user; choose an empty folder`);
  try {
    const text = await readRegularFile(path, maxManifestBytes);
    return v.parse(manifestSchema, JSON.parse(text.toString())).files;
  } catch {
    throw new RefusedError(
      `${path} is not a list that an export wrote, so nobody knows what is in the folder; choose an empty one`,
    );
  }
}

async function writeManifest(folder: string, files: readonly string[]): Promise<void> {
  await replaceFile(join(folder, manifestName), `${JSON.stringify({ files }, null, 2)}\n`);
}

async function removeFile(folder: string, name: string): Promise<void> {
  if (!(await statBelow(folder, name))?.isFile()) return;
  await rm(join(folder, name), { force: true });
  // A folder that holds something else stays.
  if (name.includes('/')) await rmdir(dirname(join(folder, name))).catch(() => undefined);
}

/** Whether a path is that folder or lies in it, by its spelling. */
function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function isPlainPath(name: string): boolean {
  const isPlain = (segment: string) => segment !== '' && segment !== '.' && segment !== '..';
  return !/[\\:\0]/.test(name) && name !== manifestName && name.split('/').every(isPlain);
}
