import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, whether its code runs built from dist/ or from source. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(dir: string): string {
  if (existsSync(join(dir, 'package.json'))) return dir;
  const parent = dirname(dir);
  if (parent === dir) throw new Error('typebadge cannot find its own files: please install it again.');
  return findRoot(parent);
}

/** The path of a file that comes with the package, such as `content/badge/logo.svg`. */
export function packageFile(...segments: string[]): string {
  return join(packageRoot, ...segments);
}

/** The version of this package. */
export function readPackageVersion(): string {
  return readPackage().version;
}

/** The web site of this package, with its documents and issues. */
export function readHomepage(): string {
  return readPackage().homepage;
}

function readPackage(): { readonly version: string; readonly homepage: string } {
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
}
