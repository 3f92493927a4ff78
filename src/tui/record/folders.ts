import { join } from 'node:path';
import envPaths from 'env-paths';
import { makeFolder } from '../../kit/folder.ts';

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

/** Makes a folder for the user alone. Throws a sentence where none can be made. */
export function makeOwnFolder(path: string): void {
  makeFolder(path, 0o700);
}
