import { closeSync, constants, fchownSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/*
 * What root writes into a service's folder must still belong to the service. Only open files are changed
 * here, never paths: the owner of the folder could replace a path with a link in the meantime.
 */

/** Gives a new file the owner, group and mode of the file that it will replace, as far as this user may. */
export async function keepOwnership(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const fresh = await file.stat();
  // The group first: once the file is given away, only root may change it.
  if (fresh.gid !== gid) await file.chown(fresh.uid, gid).catch(() => undefined);
  if (fresh.uid !== uid) await file.chown(uid, (await file.stat()).gid).catch(() => undefined);
  await file.chmod(mode & 0o7777).catch(() => undefined);
}

/** As root: gives a file just created in a folder to the owner and group of that folder. */
export function giveToOwnerOf(folder: string, created: number): void {
  if (process.geteuid?.() !== 0 || fstatSync(created).uid !== 0) return;
  const { uid, gid } = statSync(folder);
  fchownSync(created, uid, gid);
}

/** Like `giveToOwnerOf`, for a folder just created in another. */
export function giveFolderToOwnerOf(parent: string, made: string): void {
  if (process.geteuid?.() !== 0) return;
  const folder = openSync(made, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveToOwnerOf(parent, folder);
  } finally {
    closeSync(folder);
  }
}
