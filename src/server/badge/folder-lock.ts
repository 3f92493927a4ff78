import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { isDead, readOwnMark } from '../process-life.ts';
import { ContentError } from './content-error.ts';

/*
 * A lock between processes that survives kill -9 at any moment.
 *
 * The lock is a folder with one file in it, named by a random token, that says whose it is. Taking it is one rename of a
 * folder prepared beside it, which fails while a folder with something in it is there: so it is taken whole or not at all.
 * Giving it back removes the file. A dead owner's file is removed by its token: whoever comes late with that removal, after
 * another took the lock over, finds no such file and so cannot harm the new owner. (A lock file of a fixed name cannot be
 * taken over safely: between looking and removing, it may have become somebody else's.)
 */

const lockName = 'history.lock';
const draftPattern = /^history\.lock-[0-9a-f]{16}$/;
const ownerSchema = v.object({
  pid: v.number(),
  host: v.string(),
  started: v.nullable(v.string()),
  since: v.string(),
});
type Owner = v.InferOutput<typeof ownerSchema>;

export interface LockOptions {
  /** How long a living owner is waited for, in milliseconds. Default: 10 s. */
  readonly wait?: number;
}

/** Runs `work` while no other process that asks for the lock of this folder does. */
export async function withFolderLock<T>(
  dir: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const release = await takeLock(dir, options.wait ?? 10_000);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function takeLock(dir: string, wait: number): Promise<() => Promise<void>> {
  const lock = join(dir, lockName);
  const token = randomBytes(8).toString('hex');
  const draft = `${lock}-${token}`;
  const owner: Owner = { ...(await readOwnMark()), since: new Date().toISOString() };
  try {
    await mkdir(draft);
    await writeFile(join(draft, token), JSON.stringify(owner));
    await takeTurn(draft, lock, wait);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return async () => {
    await rm(join(lock, token), { force: true });
    await removeEmpty(lock);
  };
}

async function takeTurn(draft: string, lock: string, wait: number): Promise<void> {
  const deadline = performance.now() + wait;
  while (!(await renamed(draft, lock))) {
    const holder = await readHolder(lock);
    if (holder?.owner !== undefined && (await isDead(holder.owner))) {
      await rm(join(lock, holder.token), { force: true });
      continue;
    }
    // POSIX replaces an empty folder by itself, Windows does not.
    if (holder === undefined) await removeEmpty(lock);
    if (performance.now() > deadline) throw new ContentError(waitedInVain(lock, wait, holder?.owner));
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

async function readHolder(lock: string): Promise<{ token: string; owner: Owner | undefined } | undefined> {
  const [token] = await readdir(lock).catch(() => []);
  if (token === undefined) return undefined;
  try {
    const owner = v.safeParse(ownerSchema, JSON.parse(await readFile(join(lock, token), 'utf8')));
    return { token, owner: owner.success ? owner.output : undefined };
  } catch {
    return { token, owner: undefined };
  }
}

async function removeEmpty(lock: string): Promise<void> {
  await rmdir(lock).catch(() => undefined);
}

function waitedInVain(lock: string, wait: number, owner: Owner | undefined): string {
  const who =
    owner === undefined
      ? 'another process'
      : `process ${owner.pid} on ${owner.host}, since ${owner.since.slice(0, 19)}Z`;
  return `The content is being changed by ${who}; waited ${wait / 1000} s for it. Nothing was changed: try again. If no such process is running any more, remove ${lock}`;
}

/** Removes the drafts that killed processes left beside the lock. */
export async function sweepLockDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!draftPattern.test(name)) continue;
    const draft = join(dir, name);
    if (await isAbandoned(draft)) await rm(draft, { recursive: true, force: true });
  }
}

async function isAbandoned(draft: string): Promise<boolean> {
  const owner = (await readHolder(draft))?.owner;
  if (owner !== undefined) return isDead(owner);
  // Its maker was killed before it had said who it is, or is just about to say so.
  const made = await stat(draft).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > 60_000;
}
