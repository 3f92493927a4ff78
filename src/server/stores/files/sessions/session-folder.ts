import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { lifeOf, type ProcessMark, parseMark, readOwnMark } from '../../../../kit/process-life.ts';

/*
 * Several servers may share a data folder. Each keeps its open sessions in its own folder below `sessions`, which has a random
 * name and an `owner.json` that identifies the process. The folder of a server that has ended is taken over as a whole by
 * another one: renaming is atomic, so each session has one owner at any time.
 */

const ownerFile = 'owner.json';
/** Most bytes of it. */
const longestOwner = 64 * 1024;
/** Silence in ms after which an owner counts as dead if that cannot be checked (on another computer or in another container). */
const longestSilence = 120_000;

export interface SessionFolder {
  readonly dir: string;
  /** Marks this server as alive. Call it more often than the longest silence. */
  touch(): Promise<void>;
  /** Leaves the folder to the next server, or removes it if `isEmpty`. */
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
      // If that fails, the next server still notices that this one has ended.
      else await writeFile(owner, JSON.stringify({ ended: true })).catch(() => undefined);
    },
  };
}

/** The folders below `root` whose owner has ended. `silence`: only those untouched for at least so many milliseconds. */
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
  const silent = await silenceOf(path, touched.mtimeMs);
  if (silent < silence) return false;
  const owner = await readOwner(path);
  if (owner === 'ended') return true;
  const life = owner === undefined ? 'unknown' : lifeOf(owner);
  return life === 'unknown' ? silent >= longestSilence : life === 'dead';
}

/**
 * Milliseconds since an owner's last sign of life. One that is still to come was given before the clock was set back, and would hide silence
 * until the clock has caught up: it is set to now, and a living owner goes on giving them.
 */
async function silenceOf(path: string, latest: number): Promise<number> {
  const now = new Date();
  const silence = now.getTime() - latest;
  if (silence < -longestSilence) await utimes(path, now, now).catch(() => undefined);
  return Math.max(0, silence);
}

async function readOwner(path: string): Promise<ProcessMark | 'ended' | undefined> {
  try {
    const value = JSON.parse((await readRegularFile(path, longestOwner)).toString());
    return value?.ended === true ? 'ended' : parseMark(value);
  } catch {
    return undefined;
  }
}
