import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../../../kit/files/folder.ts';
import { giveToOwnerOf } from '../../../../kit/files/ownership.ts';
import { packageFile } from '../../../../kit/package-files.ts';
import { defaultDataFolder } from '../../../settings/config.ts';
import { ContentError } from '../../content/content-error.ts';
import type { ContentName } from '../../ports.ts';

const historyFileName: ContentName = 'history.json';
const originsFileName: ContentName = 'origins.json';
const editorsFileName: ContentName = 'editors.json';

export interface ContentFolder {
  /** Absolute path. */
  readonly dir: string;
  /** Why this folder was chosen, for `--verbose`. */
  readonly reason: string;
  /** Whether it has just been filled with the sample. */
  readonly isNew: boolean;
}

export interface ContentFolderOptions {
  /** Value of `--content`. */
  readonly content?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether to fill a given folder too if it is empty. Default: false. */
  readonly fillsEmpty?: boolean;
  /** Whether a given folder may be missing and nothing is filled, because the content is elsewhere. Default: false. */
  readonly isOptional?: boolean;
  /** Whether to only find the folder without writing: `isNew` then means that it is empty. Default: false. */
  readonly onlyLooks?: boolean;
}

/** Finds the content folder; the one in the data folder is filled with the sample on first use. */
export async function resolveContentFolder({
  content,
  env,
  cwd,
  fillsEmpty = false,
  isOptional = false,
  onlyLooks = false,
}: ContentFolderOptions): Promise<ContentFolder> {
  // An empty name usually comes from an unset shell variable; another folder would then be a surprise.
  if (content === '') throw new ContentError('The name given with --content is empty.');
  const named = content ?? env.TYPEBADGE_CONTENT;
  if (named) {
    const reason = content === undefined ? 'TYPEBADGE_CONTENT' : '--content';
    const dir = resolve(cwd, named);
    if (isOptional && !existsSync(dir))
      return { dir, reason: `${reason}, which does not exist`, isNew: false };
    const folder = await openNamed(dir, reason);
    const isNew =
      fillsEmpty && (await isEmpty(folder.dir, reason)) && (onlyLooks || (await fillOnce(folder.dir)));
    return { ...folder, isNew };
  }
  const local = join(cwd, 'content');
  if (existsSync(join(local, historyFileName))) {
    return { dir: local, reason: `./content holds ${historyFileName}`, isNew: false };
  }
  const data = resolve(cwd, env.TYPEBADGE_DATA || defaultDataFolder());
  const dir = join(data, 'content');
  const isNew = onlyLooks ? !existsSync(join(dir, historyFileName)) : await fillOnce(dir);
  return { dir, reason: 'the data folder', isNew };
}

async function openNamed(dir: string, reason: string): Promise<Omit<ContentFolder, 'isNew'>> {
  const found = await stat(dir).catch((error) => {
    if (!isErrorCode(error, 'EACCES')) return undefined;
    throw newRightsError(dir, reason);
  });
  if (found === undefined)
    throw new ContentError(
      `The content folder ${dir} (${reason}) does not exist. Make it first, or correct its name.`,
    );
  if (!found.isDirectory()) throw new ContentError(`The content folder ${dir} (${reason}) is not a folder.`);
  return { dir, reason };
}

function newRightsError(dir: string, reason: string): ContentError {
  return new ContentError(
    `The content folder ${dir} (${reason}) cannot be opened: this user may not. Change its rights, or name another.`,
  );
}

/** Ignores files of the file system or its operator, as on a new volume, and editors added before the first start. */
async function isEmpty(dir: string, reason: string): Promise<boolean> {
  const names = await readdir(dir).catch((error) => {
    throw isErrorCode(error, 'EACCES') ? newRightsError(dir, reason) : error;
  });
  const isNothing = (name: string) =>
    name.startsWith('.') || name === 'lost+found' || name === editorsFileName;
  return names.every(isNothing);
}

/** Returns whether it was necessary. The sample is separate, because in a clone `content/` holds what its owner has published. */
async function fillOnce(dir: string): Promise<boolean> {
  if (existsSync(join(dir, historyFileName))) return false;
  try {
    makeFolder(dir);
    // history.json comes last: if it exists, the folder is complete.
    for (const name of [originsFileName, historyFileName])
      await copyOnce(packageFile('content', 'sample', name), join(dir, name));
    return true;
  } catch (error) {
    throw new ContentError(
      `The content folder ${dir} cannot be filled: ${reasonOf(error)}. Choose another with --content.`,
      undefined,
      [],
      { cause: error },
    );
  }
}

// Several processes may fill the folder at once, or an editor may be faster: link(2) never replaces a file and never shows half of one.
async function copyOnce(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomUUID()}.new`;
  try {
    await copyNew(from, draft);
    await link(draft, to);
  } catch (error) {
    if (!isErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function copyNew(from: string, to: string): Promise<void> {
  const file = await open(to, 'wx');
  try {
    await giveToOwnerOf(dirname(to), file);
    await file.writeFile(await readFile(from));
  } finally {
    await file.close();
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
