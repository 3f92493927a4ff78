import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { makeFolder } from '../../kit/files/folder.ts';

/** Where the client keeps its own files. */
export interface Folders {
  /** Holds `options.json` and `player-key`. */
  readonly config: string;
  /** Holds `runs.jsonl`, `imported.jsonl` and `unsent/`. */
  readonly data: string;
}

/** In the config folder, and in that of the data. */
const profilesFolder = 'profiles';

/**
 * The user's own folders (XDG on Linux, the platform's convention elsewhere). `data` moves the data folder; a
 * profile has folders of its own below them.
 */
export function typistFolders(data?: string, profile?: string): Folders {
  const paths = envPaths('typebadge', { suffix: '' });
  const defaults = { config: paths.config, data: join(data ?? paths.data, 'typist') };
  if (profile === undefined) return defaults;
  return {
    config: join(defaults.config, profilesFolder, profile),
    data: join(defaults.data, profilesFolder, profile),
  };
}

/** Whether the folders of a profile are there: `play` makes them. */
export function hasProfile(folders: Folders): boolean {
  return existsSync(folders.config) || existsSync(folders.data);
}

/** The names of the profiles that there are, in the order of the alphabet. */
export function readProfileNames(data?: string): string[] {
  const { config, data: own } = typistFolders(data);
  const folders = [config, own]
    .map((folder) => join(folder, profilesFolder))
    .filter((path) => existsSync(path));
  return [...new Set(folders.flatMap((path) => readdirSync(path)))].filter(isProfileName).sort();
}

/**
 * Whether a profile may have this name. It names a folder, also on file systems that ignore case, and on
 * Windows, which reserves some names for devices.
 */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(name);
}

/** Makes a folder for the user alone. Throws a sentence where none can be made. */
export function makeOwnFolder(path: string): void {
  makeFolder(path, 0o700);
}
