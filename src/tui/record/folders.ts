import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { makeFolder } from '../../kit/files/folder.ts';

/** Where the client keeps its files. */
export interface Folders {
  /** Holds `options.json` and `player-key`. */
  readonly config: string;
  /** Holds `imported.jsonl`, `texts.json` and `unsent/`. */
  readonly data: string;
}

/** In both the config folder and the data folder. */
const profilesFolder = 'profiles';

/**
 * The user's folders (XDG on Linux, the platform's convention elsewhere). `data` moves the data folder; a
 * profile has separate folders below them.
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

/** Whether a profile has folders, which `play` creates. */
export function hasProfile(folders: Folders): boolean {
  return existsSync(folders.config) || existsSync(folders.data);
}

/** The names of all profiles, in alphabetical order. */
export function readProfileNames(data?: string): string[] {
  const defaults = typistFolders(data);
  const folders = [defaults.config, defaults.data]
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

/** Creates a folder that only the user can read. Throws one sentence if that fails. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}
