import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/*
 * What root writes into the folder of a service must stay the service's. Only open files are changed here, never paths:
 * the owner of the folder could put a link in the place of a path meanwhile.
 */

/** What a new file should keep of the one that it replaces, and did not. */
export type Lost = 'owner' | 'group' | 'mode';

/** Gives a file just created the owner, group and mode of the one that it is to replace. */
export async function keepOwnership(file: FileHandle, old: Stats): Promise<readonly Lost[]> {
  const fresh = await file.stat();
  const lost: Lost[] = [];
  const attempt = async (what: Lost, change: () => Promise<void>) => {
    await change().catch(() => lost.push(what));
  };
  // The group first: once the file is given away, only root may change it.
  if (fresh.gid !== old.gid) await attempt('group', () => file.chown(fresh.uid, old.gid));
  if (fresh.uid !== old.uid)
    await attempt('owner', () => file.chown(old.uid, lost.length > 0 ? fresh.gid : old.gid));
  await attempt('mode', () => file.chmod(old.mode & 0o7777));
  return lost;
}

/** As root: gives what was just created in a folder to the owner and group of that folder. */
export async function giveToOwnerOf(folder: string, created: FileHandle): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const [{ uid, gid }, own] = await Promise.all([stat(folder), created.stat()]);
  if (own.uid !== uid || own.gid !== gid) await created.chown(uid, gid);
}

/** Like `giveToOwnerOf`, for a folder that was just made in another. */
export async function giveFolderToOwnerOf(parent: string, made: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const handle = await open(made, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if ((await handle.stat()).uid === 0) await giveToOwnerOf(parent, handle);
  } finally {
    await handle.close();
  }
}
