import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** Where the client keeps its own files. */
export interface Folders {
  /** Holds `options.json`. */
  readonly config: string;
  /** Holds `runs.jsonl` and `unsent/`. */
  readonly data: string;
}

/** The user's own folders (XDG on Linux, the platform's custom elsewhere); `data` moves the data folder. */
export function toFolders(data?: string): Folders {
  const paths = envPaths('typebadge', { suffix: '' });
  return { config: paths.config, data: join(data ?? paths.data, 'typist') };
}

/**
 * Makes a folder for the user alone, and those above it that are missing. Throws a sentence where none can be made.
 *
 * Not `mkdirSync` with `recursive`: below /proc, which says of every new name that it does not exist, Node 20 tries that
 * again for ever.
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (isMade(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  if (!isMade(folder)) throw new Error(`no folder can be made in ${parent}`);
}

/** False where the folder above is missing, or says so. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return true;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
