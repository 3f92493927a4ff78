import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveFolderToOwnerOf, giveToOwnerOf } from './ownership.ts';
import { lifeOf, type ProcessMark, parseMark, readOwnMark } from './process-life.ts';
import { readRegularFile } from './regular-file.ts';

/*
 * A lock between processes that survives kill -9 at any moment.
 *
 * The lock is a folder with one file in it, named by a random token, that says whose it is. Taking it is one rename of a
 * folder prepared beside it, which fails while a folder with something in it is there: so it is taken whole or not at all.
 * Giving it back removes the file. A dead owner's file is removed by its token: a process that comes late with that removal, after
 * another took the lock over, finds no such file and cannot harm the new owner. (A lock file of a fixed name cannot be
 * taken over safely: between looking and removing, it may have become somebody else's.)
 *
 * An owner in another container or on another computer cannot be asked whether it lives. Every owner rewrites its file
 * while it holds the lock; one that stays silent for the lease has lost it. The silence is measured by the clock that
 * stamps the files, against the waiter's own file beside it, so that clocks that differ between computers do not matter.
 */

const lockName = 'history.lock';
const draftPattern = /^history\.lock-[0-9a-f]{16}$/;

/** An owner whose process cannot be seen is given up after so much silence, in milliseconds. */
export const lockLease = 15_000;
const heartbeat = 3_000;
/** Bytes of the file that says whose the lock is; anybody who may write to the folder could put another there. */
const largestMark = 4_096;
/** Longer than the lease, so that a command outlives an owner that crashed elsewhere. */
const defaultWait = 20_000;

export interface LockOptions {
  /** How long a living owner is waited for, in milliseconds. Default: 20 s. */
  readonly wait?: number;
}

export interface FolderLock {
  /** Rejects where the lock was lost: this process slept for longer than the lease, and another took over. */
  confirm(): Promise<void>;
}

/** The lock could not be taken, or was lost. */
export class LockError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LockError';
  }
}

/** Runs `work` while no other process that asks for the lock of this folder does. */
export async function withFolderLock<T>(
  dir: string,
  work: (lock: FolderLock) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const lock = join(dir, lockName);
  const token = randomBytes(8).toString('hex');
  const draft = `${lock}-${token}`;
  let place = draft;
  const touch = () => touchFile(join(place, token));
  const heart = setInterval(() => void touch(), heartbeat).unref();
  try {
    await prepare(dir, draft, token);
    await takeTurn(draft, lock, options.wait ?? defaultWait);
    place = lock;
    await sweepDrafts(dir, lock);
    return await work({
      async confirm() {
        if (await touch()) return;
        throw new LockError('this process was paused for too long, and another one took over');
      },
    });
  } finally {
    clearInterval(heart);
    await remove(place, token);
  }
}

async function prepare(dir: string, draft: string, token: string): Promise<void> {
  await mkdir(draft);
  await giveFolderToOwnerOf(dir, draft);
  const file = await open(join(draft, token), 'wx');
  try {
    await giveToOwnerOf(dir, file);
    await file.writeFile(JSON.stringify({ ...readOwnMark(), since: new Date().toISOString() }));
  } finally {
    await file.close();
  }
}

/** Not recursively: in a folder of somebody else, root must not follow what may have been put in its place. */
async function remove(place: string, token: string): Promise<void> {
  await rm(join(place, token), { force: true });
  await removeEmpty(place);
}

async function takeTurn(draft: string, lock: string, wait: number): Promise<void> {
  const deadline = performance.now() + wait;
  while (!(await renamed(draft, lock))) {
    const holder = await readHolder(lock);
    if (holder !== undefined && (await isGivenUp(lock, holder, draft))) {
      await rm(join(lock, holder.token), { force: true });
      continue;
    }
    // POSIX replaces an empty folder by itself, Windows does not.
    if (holder === undefined) await removeEmpty(lock);
    if (performance.now() > deadline) throw new LockError(waitedInVain(lock, wait, holder));
    await sleep(5 + Math.random() * 20);
  }
}

async function renamed(draft: string, lock: string): Promise<boolean> {
  try {
    await rename(draft, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // How the systems say "there is already one": Linux, BSD and macOS, Windows.
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM' || code === 'EACCES') return false;
    throw error;
  }
}

interface Holder {
  readonly token: string;
  readonly mark: ProcessMark | undefined;
  /** ISO 8601. */
  readonly since: string;
}

async function readHolder(place: string): Promise<Holder | undefined> {
  const [token] = await readdir(place).catch(() => []);
  if (token === undefined) return undefined;
  try {
    const value = JSON.parse((await readRegularFile(join(place, token), largestMark)).toString());
    return { token, mark: parseMark(value), since: String(value.since) };
  } catch {
    return { token, mark: undefined, since: '' };
  }
}

/** Whether the holder of `place` is dead, or cannot be seen and has been silent for the lease. */
async function isGivenUp(place: string, { token, mark }: Holder, ownPlace: string): Promise<boolean> {
  const life = mark === undefined ? 'unknown' : lifeOf(mark);
  return life === 'unknown' ? (await silenceOf(join(place, token), ownPlace)) >= lockLease : life === 'dead';
}

/** How long ago a file was written by the clock of the file system, in milliseconds. */
async function silenceOf(file: string, ownPlace: string): Promise<number> {
  const [own] = await readdir(ownPlace);
  if (own === undefined || !(await touchFile(join(ownPlace, own)))) return 0;
  const [theirs, ours] = await Promise.all([
    stat(file).catch(() => undefined),
    stat(join(ownPlace, own)).catch(() => undefined),
  ]);
  return theirs === undefined || ours === undefined ? 0 : ours.mtimeMs - theirs.mtimeMs;
}

/** Writes a byte of the file again, which lets the file system stamp it; false where the file is gone. */
async function touchFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r+');
    await file.write('{', 0).finally(() => file.close());
    return true;
  } catch {
    return false;
  }
}

async function removeEmpty(place: string): Promise<void> {
  await rmdir(place).catch(() => undefined);
}

function waitedInVain(lock: string, wait: number, holder: Holder | undefined): string {
  const { mark, since = '' } = holder ?? {};
  const who =
    mark === undefined
      ? 'another process'
      : `process ${mark.pid} on ${mark.host}, since ${since.slice(0, 19)}Z`;
  return `${dirname(lock)} is being changed by ${who}; waited ${wait / 1000} s for it`;
}

/** Removes the drafts that killed processes left beside the lock; to be called by its holder. */
async function sweepDrafts(dir: string, lock: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!draftPattern.test(name)) continue;
    const draft = join(dir, name);
    const holder = await readHolder(draft);
    const isLitter =
      holder === undefined
        ? (await silenceOf(draft, lock)) >= lockLease // killed before it had said who it is
        : await isGivenUp(draft, holder, lock);
    if (isLitter) await remove(draft, holder?.token ?? '-');
  }
}
