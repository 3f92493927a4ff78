import { mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { giveFolderToOwnerOf } from './ownership.ts';

/**
 * Creates a folder and its missing parents with this mode; an existing folder is fine. Throws an `Error`
 * whose message is a sentence if that fails.
 *
 * Not `mkdirSync` with `recursive`: below /proc, which answers ENOENT for every new name, Node 20 retries
 * forever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  if (isMade(folder, mode)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  if (!isMade(folder, mode)) throw new Error(`no folder can be made in ${parent}`);
}

/** False if the parent folder is missing, or claims to be. */
function isMade(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    giveFolderToOwnerOf(dirname(folder), folder);
    return true;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes the names of new files in a folder as durable as their contents. Windows cannot open folders and does
 * not need this.
 */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
