import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { RefusedError } from '../program/command-errors.ts';

/** A folder that stays the same one while it is held, even when another process gives its name to something else. */
export interface HeldFolder {
  /** Its path, for people. */
  readonly name: string;
  /** Leads to this very folder. */
  readonly path: string;
  /** Device and inode: the same for every name of one folder. */
  readonly identity: string;
  /** Rejects where the name now leads elsewhere. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

const descriptors = '/proc/self/fd';
/** Linux's O_PATH, which Node does not name: opens a folder to be passed through, readable or not. */
const passThrough = 0o10000000;
const canHold = process.platform === 'linux' && existsSync(descriptors);

/** Holds a folder of a held one; undefined where there is none of that name. Never follows a symbolic link. */
export async function holdFolder(path: string, name: string): Promise<HeldFolder | undefined> {
  return canHold ? holdOpen(path, name) : holdByIdentity(path, name);
}

/** The same, and makes the folder where it is missing. */
export async function holdOrMakeFolder(path: string, name: string): Promise<HeldFolder> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const folder = await holdFolder(path, name);
  if (folder === undefined) throw new Error(`${name} was removed by another process`);
  return folder;
}

/** As openat(2) does it: what is reached through the descriptor lies in this folder, even if its name changes. */
async function holdOpen(path: string, name: string): Promise<HeldFolder | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_DIRECTORY | constants.O_NOFOLLOW | passThrough);
  } catch (error) {
    return refuseOrMiss(error as NodeJS.ErrnoException, path, name);
  }
  const { dev, ino } = await handle.stat({ bigint: true });
  return {
    name,
    path: `${descriptors}/${handle.fd}`,
    identity: `${dev}:${ino}`,
    confirm: async () => undefined,
    release: () => handle.close(),
  };
}

/** Where a descriptor cannot be used as a path: checked at first, and again before every write. */
async function holdByIdentity(path: string, name: string): Promise<HeldFolder | undefined> {
  const identity = await readIdentity(path, name);
  if (identity === undefined) return undefined;
  const confirm = async () => {
    if ((await readIdentity(path, name)) !== identity)
      throw new RefusedError(`${name} was replaced by another process while it was written to`);
  };
  return { name, path, identity, confirm, release: async () => undefined };
}

async function readIdentity(path: string, name: string): Promise<string | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) throw refusal(name, stats.isSymbolicLink());
    return `${stats.dev}:${stats.ino}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function refuseOrMiss(error: NodeJS.ErrnoException, path: string, name: string): Promise<undefined> {
  if (error.code === 'ENOENT') return undefined;
  if (error.code !== 'ENOTDIR' && error.code !== 'ELOOP') throw error;
  throw refusal(name, (await lstat(path)).isSymbolicLink());
}

function refusal(name: string, isLink: boolean): RefusedError {
  if (!isLink) return new RefusedError(`${name} is not a folder; choose another`);
  return new RefusedError(
    `${name} is a symbolic link, which an export does not follow; name the folder itself`,
  );
}
