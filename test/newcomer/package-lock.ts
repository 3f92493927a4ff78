import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/server/package-files.ts';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

const locked: Readonly<Record<string, LockedPackage>> = JSON.parse(
  readFileSync(packageFile('package-lock.json'), 'utf8'),
).packages;

/**
 * Where the packages of a user's installation lie, such as `node_modules/ink`: what the dependencies of this package
 * need, and what those need. The lock's own marks count more, namely optional peers that are here for development.
 */
export function listInstalledPackages(): readonly string[] {
  const found = new Set(['']);
  for (const folder of found) {
    for (const name of Object.keys(locked[folder]?.dependencies ?? {})) found.add(findPackage(folder, name));
  }
  return [...found].slice(1).sort();
}

/** Those packages of a user's installation that would run a program while they are installed. */
export function listInstallScripts(): readonly string[] {
  return listInstalledPackages().filter((folder) => locked[folder]?.hasInstallScript);
}

/** Looks into the own folder of packages, and then into those of the folders around it. */
function findPackage(folder: string, name: string): string {
  const path = `${folder}/node_modules/${name}`.replace(/^\//, '');
  if (path in locked) return path;
  if (folder === '') throw new Error(`The lock has no ${name}.`);
  return findPackage(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
}
