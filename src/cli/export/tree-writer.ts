import { randomBytes } from 'node:crypto';
import { link, lstat, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { ContentError } from '../../server/stores/content/content-error.ts';
import { RefusedError } from '../program/command-errors.ts';
import { manifestName, readManifest, toManifestText } from './export-manifest.ts';
import type { ExportTarget } from './export-target.ts';
import type { ExportedFile } from './exported-files.ts';
import type { HeldFolder } from './held-folder.ts';

export interface WriteTreeOptions {
  /** Whether the folder may hold other files. They are left alone in any case. */
  readonly besideOthers: boolean;
}

/**
 * Writes the files, those that others refer to first, and removes what an earlier export wrote and this one did not.
 * Replaces and removes only what the manifest lists; anything else in the way is refused before anything is written.
 */
export async function writeTree(
  target: ExportTarget,
  files: readonly ExportedFile[],
  options: WriteTreeOptions,
): Promise<void> {
  try {
    const names = files.map(({ name }) => name);
    const listed = await inspect(target, names, options);
    const stale = listed.filter((name) => !names.includes(name));
    const save = (list: readonly string[]) =>
      placeFile(target, manifestName, Buffer.from(toManifestText(list)), true);
    // Before the first file and after the last: whenever this is interrupted, everything written is on the list.
    await save([...names, ...stale]);
    for (const { name, body } of files) await placeFile(target, name, body, listed.includes(name));
    for (const name of stale) await removeFile(target, name);
    await save(names);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    const { message } = error as Error;
    const { name } = target;
    throw new ContentError(`The export to ${name} is not complete: ${message}`, name, [], { cause: error });
  }
}

/** What an earlier export wrote. Refuses, and changes nothing, where a name is taken by anything else. */
async function inspect(
  target: ExportTarget,
  names: readonly string[],
  { besideOthers }: WriteTreeOptions,
): Promise<string[]> {
  const earlier = await inFolder(target, [], readManifest);
  const listed = earlier ?? [];
  const foreign: string[] = [];
  for (const name of new Set([...names, ...listed])) {
    const kind = await kindOf(target, name);
    if (kind === 'link')
      throw new RefusedError(`${target.name}/${name} is a symbolic link, which an export does not follow`);
    if (kind === 'folder' && names.includes(name))
      throw new RefusedError(`${target.name}/${name} is a folder; a file of the export has that name`);
    if (kind === 'file' && !listed.includes(name)) foreign.push(name);
  }
  if (foreign.length > 0) throw new RefusedError(toForeignSentence(target.name, foreign));
  const isFresh = earlier === undefined;
  if (
    isFresh &&
    !besideOthers &&
    ((await inFolder(target, [], ({ path }) => readdir(path))) ?? []).length > 0
  )
    throw new RefusedError(`${target.name} holds files that no export wrote; choose an empty folder`);
  return listed;
}

function toForeignSentence(folder: string, [first, ...others]: readonly string[]): string {
  const rest = others.length === 0 ? '' : ` and ${others.length} more of the files to write`;
  const verb = others.length === 0 ? 'was' : 'were';
  return `${folder}/${first}${rest} ${verb} not written by an export, and only such files are replaced; choose an empty folder`;
}

async function kindOf(target: ExportTarget, name: string): Promise<'link' | 'folder' | 'file' | 'none'> {
  const { segments, base } = toPlace(name);
  const stats = await inFolder(target, segments, ({ path }) =>
    lstat(`${path}/${base}`).catch(() => undefined),
  );
  if (stats === undefined) return 'none';
  if (stats.isSymbolicLink()) return 'link';
  return stats.isDirectory() ? 'folder' : 'file';
}

/** A visitor sees the old file or the new one. One that must not be there yet is put in place by a link, which never replaces. */
async function placeFile(
  target: ExportTarget,
  name: string,
  body: Buffer,
  mayReplace: boolean,
): Promise<void> {
  const { segments, base } = toPlace(name);
  const folder = await target.make(segments);
  const draft = `${folder.path}/${newDraftName()}`;
  try {
    await sweepDrafts(folder);
    await folder.confirm();
    await writeNew(draft, body);
    await folder.confirm();
    await (mayReplace ? rename : linkOnce)(draft, `${folder.path}/${base}`);
  } finally {
    await rm(draft, { force: true });
    await folder.release();
  }
}

/** Exclusive creation follows no link, not even a dangling one. */
async function writeNew(path: string, body: Buffer): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}

const knowsNoLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

async function linkOnce(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    // FAT and some network drives have no hard links; the place was seen to be empty.
    if (!knowsNoLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await rename(draft, path);
  }
}

function newDraftName(): string {
  return `.typebadge-${randomBytes(8).toString('hex')}.draft`;
}

/** Removes what an export that was killed has left. */
async function sweepDrafts({ path }: HeldFolder): Promise<void> {
  const drafts = (await readdir(path)).filter((name) => /^\.typebadge-[0-9a-f]{16}\.draft$/.test(name));
  for (const name of drafts) await rm(`${path}/${name}`, { force: true });
}

async function removeFile(target: ExportTarget, name: string): Promise<void> {
  if ((await kindOf(target, name)) !== 'file') return;
  const { segments, base } = toPlace(name);
  await inFolder(target, segments, ({ path }) => rm(`${path}/${base}`, { force: true }));
  if (segments.length === 0) return;
  // A folder that holds something else stays.
  const [last = '', ...above] = segments.toReversed();
  await inFolder(target, above.reverse(), ({ path }) => rmdir(`${path}/${last}`).catch(() => undefined));
}

async function inFolder<T>(
  target: ExportTarget,
  segments: readonly string[],
  work: (folder: HeldFolder) => Promise<T>,
): Promise<T | undefined> {
  const folder = await target.find(segments);
  if (folder === undefined) return undefined;
  try {
    return await work(folder);
  } finally {
    await folder.release();
  }
}

function toPlace(name: string): { segments: string[]; base: string } {
  const { dir, base } = posix.parse(name);
  return { segments: dir === '' ? [] : dir.split('/'), base };
}
