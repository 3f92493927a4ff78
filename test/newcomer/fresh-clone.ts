import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile, packageRoot } from '../../src/kit/package-files.ts';

const run = promisify(execFile);

/** A copy of the sources without the repository cannot be cloned; such tests are left out loudly. */
export const canClone = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: packageRoot }).status === 0;
if (!canClone) console.warn('This is no git repository: the tests in a fresh clone are left out.');

/** `npm run newcomer`: every package is fetched and installed anew, and commands stand as they are written. */
export const isWholePath = process.env.TYPEBADGE_NEWCOMER === 'whole';

/** What a newcomer has: a clone, a home with nothing in it, and no variable of ours. */
export interface NewcomerMachine {
  /** Holds everything of this newcomer. */
  readonly folder: string;
  readonly clone: string;
  /** The whole environment of this newcomer's processes. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Clones this repository as it would be if everything were committed. Nothing is installed in it. */
export async function openNewcomerMachine(): Promise<NewcomerMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-newcomer-'));
  const clone = join(folder, 'typebadge');
  await run('git', ['clone', '--quiet', packageRoot, clone]);
  await copyUncommitted(clone);
  const home = join(folder, 'home');
  const bin = join(folder, 'bin');
  await mkdir(home);
  await mkdir(bin);
  // As `npm install --global` would have it.
  await symlink(join(clone, 'bin', 'typebadge.js'), join(bin, 'typebadge'));
  const registry = await readRegistry();
  return {
    folder,
    clone,
    env: {
      PATH: [bin, dirname(process.execPath), process.env.PATH].join(':'),
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      npm_config_registry: registry,
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Gives a clone the packages of this repository and builds it, which is what `npm ci` would come to. */
export async function linkInstalledPackages({ clone, env }: NewcomerMachine): Promise<void> {
  await symlink(packageFile('node_modules'), join(clone, 'node_modules'));
  await run(process.execPath, ['build.mjs'], { cwd: clone, env });
}

async function copyUncommitted(clone: string): Promise<void> {
  const list = async (...flags: string[]) => {
    const { stdout } = await run('git', ['ls-files', '-z', ...flags], { cwd: packageRoot });
    return stdout.split('\0').filter((name) => name !== '');
  };
  const deleted = new Set(await list('--deleted'));
  for (const name of deleted) await rm(join(clone, name), { force: true });
  for (const name of await list('--modified', '--others', '--exclude-standard')) {
    if (!deleted.has(name)) await cp(packageFile(name), join(clone, name));
  }
}

/** Whoever installs through a mirror has said so outside of this home. */
async function readRegistry(): Promise<string> {
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  return stdout.trim();
}
