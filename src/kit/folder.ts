import { mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, with the given mode; one that is there already is fine. Throws a
 * sentence where none can be made.
 *
 * Not `mkdirSync` with `recursive`: below /proc, which answers that no new name exists, Node 20 retries forever.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  if (isMade(folder, mode)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  if (!isMade(folder, mode)) throw new Error(`no folder can be made in ${parent}`);
}

/** False where the folder above is missing, or says so. */
function isMade(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the names of new files in a folder as durable as their contents. Windows opens no folders, and needs none of this. */
export async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
