import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity, processLife } from '../process-life.ts';
import { giveFolderToOwnerOf } from './ownership.ts';
import { readRegularFile } from './regular-file.ts';

/*
 * A lock between processes that survives kill -9 at any moment.
 *
 * The lock is a folder with one file in it, which is named by a random token and says who owns it. Acquiring
 * it is one rename of a folder prepared beside it, which is atomic and fails while a folder that is not empty
 * is there. Releasing it removes the file. A dead owner's file is removed by its token: a process that does
 * so late, after another one has acquired the lock, finds no such file and cannot harm the new owner. (A lock
 * file with a fixed name cannot be taken over safely: between reading and removing it, it may change owners.)
 *
 * Whether an owner in another container or on another computer is alive cannot be checked. So every owner
 * rewrites its file while it holds the lock, and loses the lock if it stays silent for the lease. Silence is
 * measured by the timestamps of the file system, against the waiter's own file, so differing clocks do not
 * matter.
 */

const lockName = 'history.lock';
const draftPattern = /^history\.lock-[0-9a-f]{16}$/;

/** Silence in milliseconds after which an owner whose process cannot be checked loses the lock. */
export const lockLease = 15_000;
const heartbeat = 3_000;
/** Limit in bytes of an owner's file; anyone who can write to the folder could put something else there. */
const maxMark = 4_096;
/** Longer than the lease, so that a command outlives an owner that crashed elsewhere. */
const defaultWait = 20_000;

export interface LockOptions {
  /** How long to wait for a living owner, in milliseconds. Default: 20 s. */
  readonly wait?: number;
}

/** The lock could not be acquired, or was lost. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

/**
 * Runs `work` while holding the lock of this folder. Rejects with a `LockError` if the lock cannot be
 * acquired in time. `confirm` does so if it was lost: this process was suspended for longer than the lease,
 * and another took over.
 */
export async function withFolderLock<T>(
  dir: string,
  work: (confirm: () => Promise<void>) => Promise<T>,
  { wait = defaultWait }: LockOptions = {},
): Promise<T> {
  const lock = join(dir, lockName);
  const token = randomBytes(8).toString('hex');
  const draft = `${lock}-${token}`;
  let place = draft;
  const touch = () => touchFile(join(place, token));
  const timer = setInterval(() => void touch(), heartbeat).unref();
  try {
    await mkdir(draft);
    giveFolderToOwnerOf(dir, draft);
    await writeFile(join(draft, token), `process ${process.pid} on ${hostname()}\n${processIdentity()}`);
    const deadline = performance.now() + wait;
    while (!(await tryRename(draft, lock))) {
      const isFree = await removeAbandoned(lock, join(draft, token));
      if (!isFree && performance.now() > deadline) throw await timeoutError(lock, wait);
      if (!isFree) await sleep(5 + Math.random() * 20);
    }
    place = lock;
    // Drafts that killed processes have left beside the lock.
    for (const name of await readdir(dir))
      if (draftPattern.test(name)) await removeAbandoned(join(dir, name), join(lock, token));
    return await work(async () => {
      if (await touch()) return;
      throw new LockError('this process was paused for too long, and another one took over');
    });
  } finally {
    clearInterval(timer);
    await remove(place, token);
  }
}

/** Not recursively: in somebody else's folder, root must not follow a link that was put in its place. */
async function remove(place: string, token: string): Promise<void> {
  if (token !== '') await rm(join(place, token), { force: true });
  await rmdir(place).catch(() => undefined);
}

async function tryRename(draft: string, lock: string): Promise<boolean> {
  try {
    await rename(draft, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // "It exists" on Linux, on BSD and macOS, and on Windows.
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM' || code === 'EACCES') return false;
    throw error;
  }
}

/**
 * The token, name and identity of a holder, `''` for what is not known: its process has not written its file
 * yet, or has just removed it.
 */
async function readHolder(place: string) {
  const [token = ''] = await readdir(place).catch(() => []);
  const text = await readRegularFile(join(place, token), maxMark).catch(() => '');
  const [name = '', identity = ''] = text.toString().split('\n');
  return { token, name, identity };
}

/**
 * Removes a lock or a draft whose holder is dead, or cannot be seen and has been silent for the lease.
 * Resolves to whether it did.
 *
 * @param own a file of this process beside it, with which the clock of the file system is read
 */
async function removeAbandoned(place: string, own: string): Promise<boolean> {
  const { token, identity } = await readHolder(place);
  const life = processLife(identity);
  const isAbandoned =
    life === 'unknown' ? (await silenceOf(join(place, token), own)) >= lockLease : life === 'dead';
  if (isAbandoned) await remove(place, token);
  return isAbandoned;
}

/**
 * How long ago a file was written, in milliseconds, by the clock of the file system; how far ahead, if that
 * was set back since: a living holder would have written it again.
 */
async function silenceOf(file: string, own: string): Promise<number> {
  if (!(await touchFile(own))) return 0;
  const [theirs, ours] = await Promise.all([file, own].map((path) => stat(path).catch(() => undefined)));
  return theirs === undefined || ours === undefined ? 0 : Math.abs(ours.mtimeMs - theirs.mtimeMs);
}

/** Rewrites a byte of the file, so that the file system updates its timestamp; false if the file is gone. */
async function touchFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r+');
    await file.write('p', 0).finally(() => file.close());
    return true;
  } catch {
    return false;
  }
}

async function timeoutError(lock: string, wait: number): Promise<LockError> {
  const { name } = await readHolder(lock);
  const who = /^process \d+ on [\w.-]+$/.test(name) ? name : 'another process';
  return new LockError(`${dirname(lock)} is being changed by ${who}; waited ${wait / 1000} s for it`);
}
