import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/folder.ts';
import { lifeOf, type ProcessMark, parseMark, readOwnMark } from '../../../../kit/process-life.ts';

/*
 * Several servers may share a data folder. Each keeps its open sessions in a folder of its own below `sessions`, named
 * at random, in which `owner.json` says which process that is. The folder of a server that has ended is taken over as a
 * whole by one that starts later: renaming is atomic, so each session has one owner at any time.
 */

const ownerFile = 'owner.json';
/** An owner that cannot be told dead or alive (on another computer or in another container) is given up after so much silence, in ms. */
const longestSilence = 120_000;

export interface SessionFolder {
  readonly dir: string;
  /** Says that this server lives. To be called more often than the longest silence. */
  touch(): Promise<void>;
  /** Gives the folder up for the next server to take over, or removes it where nothing is in it to take. */
  release(isEmpty: boolean): Promise<void>;
}

/** Makes this server's own folder below `root`. */
export async function openSessionFolder(root: string): Promise<SessionFolder> {
  const dir = join(root, randomBytes(8).toString('hex'));
  makeFolder(dir);
  const owner = join(dir, ownerFile);
  const mark = JSON.stringify(readOwnMark());
  await writeFile(owner, mark);
  return {
    dir,
    async touch() {
      const now = new Date();
      await utimes(owner, now, now).catch(() => writeFile(owner, mark));
    },
    async release(isEmpty) {
      if (isEmpty) await rm(dir, { recursive: true, force: true });
      // Where that fails, the next server finds by itself that this one has ended.
      else await writeFile(owner, JSON.stringify({ ended: true })).catch(() => undefined);
    },
  };
}

/** The folders below `root` whose owner has ended. `silence`: only those untouched for so many milliseconds. */
export async function findAbandonedFolders(root: string, silence = 0): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const dirs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
  const abandoned = await Promise.all(dirs.map((dir) => isAbandoned(dir, silence)));
  return dirs.filter((_, at) => abandoned[at]);
}

async function isAbandoned(dir: string, silence: number): Promise<boolean> {
  const path = join(dir, ownerFile);
  const touched = await stat(path)
    .catch(() => stat(dir))
    .catch(() => undefined);
  if (touched === undefined) return false;
  // A folder of the future was touched before the date was set back.
  const silent = Math.max(0, Date.now() - touched.mtimeMs);
  if (silent < silence) return false;
  const owner = await readOwner(path);
  if (owner === 'ended') return true;
  const life = owner === undefined ? 'unknown' : lifeOf(owner);
  return life === 'unknown' ? silent >= longestSilence : life === 'dead';
}

async function readOwner(path: string): Promise<ProcessMark | 'ended' | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8'));
    return value?.ended === true ? 'ended' : parseMark(value);
  } catch {
    return undefined;
  }
}
