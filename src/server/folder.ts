import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing; one that is there already is welcome. Rejects with a sentence
 * where none can be made.
 *
 * Not `mkdir` with `recursive`: below /proc, which says of every new name that it does not exist, Node 20 tries that again
 * for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  if (await isMade(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  if (!(await isMade(folder))) throw new Error(`no folder can be made in ${parent}`);
}

/** False where the folder above is missing, or says so. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
