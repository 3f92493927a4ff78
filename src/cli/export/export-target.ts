import { stat } from 'node:fs/promises';
import { isAbsolute, join, parse, relative, sep } from 'node:path';
import { RefusedError } from '../program/command-errors.ts';
import { type HeldFolder, holdFolder, holdOrMakeFolder } from './held-folder.ts';

/** A folder that no export may write into, and what people call it. */
export interface ProtectedFolder {
  readonly path: string;
  readonly noun: string;
}

/** The folder that is exported to, and those below it: reached step by step, following no link. */
export interface ExportTarget {
  /** Absolute path. */
  readonly name: string;
  /** The folder below the target by these names; undefined where it is not there yet. */
  find(segments: readonly string[]): Promise<HeldFolder | undefined>;
  /** The same; makes what is missing. */
  make(segments: readonly string[]): Promise<HeldFolder>;
}

/** Refuses a target that is, or lies in, a protected folder: by what it is on the disk, not by its name. */
export async function openTarget(
  name: string,
  protectedFolders: readonly ProtectedFolder[],
): Promise<ExportTarget> {
  const guarded = await Promise.all(
    protectedFolders.map(async (folder) => ({ ...folder, identity: await identityOf(folder.path) })),
  );
  const check = ({ name: place, identity }: HeldFolder) => {
    const hit = guarded.find((folder) => folder.identity === identity);
    if (hit !== undefined) refuseInside(place === name || isInside(name, place) ? name : place, hit);
  };
  const notThereYet = guarded.find(({ path, identity }) => identity === undefined && isInside(name, path));
  if (notThereYet !== undefined) refuseInside(name, notThereYet);
  const below = (segments: readonly string[]) => [...toSegments(name), ...segments];
  const { root } = parse(name);
  return {
    name,
    find: (segments) => walk(root, below(segments), holdFolder, check),
    make: async (segments) => {
      const folder = await walk(root, below(segments), holdOrMakeFolder, check);
      if (folder === undefined) throw new Error(`${name} cannot be made`);
      return folder;
    },
  };
}

async function walk(
  root: string,
  segments: readonly string[],
  hold: (path: string, name: string) => Promise<HeldFolder | undefined>,
  check: (folder: HeldFolder) => void,
): Promise<HeldFolder | undefined> {
  let folder = await holdFolder(root, root);
  for (const segment of segments) {
    if (folder === undefined) return undefined;
    const above: HeldFolder = folder;
    try {
      check(above);
      folder = await hold(`${above.path}/${segment}`, join(above.name, segment));
    } finally {
      await above.release();
    }
  }
  if (folder !== undefined) await checkLast(folder, check);
  return folder;
}

async function checkLast(folder: HeldFolder, check: (folder: HeldFolder) => void): Promise<void> {
  try {
    check(folder);
  } catch (error) {
    await folder.release();
    throw error;
  }
}

function refuseInside(place: string, { noun, path }: ProtectedFolder): never {
  throw new RefusedError(`${place} lies in ${noun} (${path}); export to a folder outside it`);
}

async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && `${stats.dev}:${stats.ino}`;
}

function toSegments(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((segment) => segment !== '');
}

/** Whether a path is that folder or lies in it, by its spelling. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}
