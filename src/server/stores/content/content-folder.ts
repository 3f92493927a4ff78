import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../kit/files/folder.ts';
import { packageFile } from '../../../kit/package-files.ts';
import { defaultDataFolder } from '../../settings/config.ts';
import { ContentError } from './content-error.ts';
import { addText } from './content-filling.ts';
import { createFolderContent } from './folder-content.ts';

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
  /** Whether to fill a given folder too if it is there, but empty. Default: false. */
  readonly fillsEmpty?: boolean;
  /** Whether a given folder that is missing is not made, because the content is elsewhere. Default: false. */
  readonly isOptional?: boolean;
  /** Whether a given folder that is missing is an error: its name may be misspelt. Default: false. */
  readonly mustExist?: boolean;
  /** Whether to only find the folder without writing: `isNew` then means that it is empty. Default: false. */
  readonly onlyLooks?: boolean;
}

/**
 * Finds the content folder. A given one that is missing and the one in the data folder are made and filled
 * with the sample on first use.
 */
export async function resolveContentFolder({
  content,
  env,
  cwd,
  fillsEmpty = false,
  isOptional = false,
  mustExist = false,
  onlyLooks = false,
}: ContentFolderOptions): Promise<ContentFolder> {
  // An empty name usually comes from an unset shell variable; another folder would then be a surprise.
  if (content === '') throw new ContentError('The name given with --content is empty.');
  const named = content ?? env.TYPEBADGE_CONTENT;
  if (named) {
    const reason = content === undefined ? 'TYPEBADGE_CONTENT' : '--content';
    const dir = resolve(cwd, named);
    const isThere = await isFolder(dir, reason);
    if (!isThere && isOptional) return { dir, reason: `${reason}, which does not exist`, isNew: false };
    if (!isThere && mustExist) throw new ContentError(missingSentence(dir, reason));
    const isToFill = !isThere || (fillsEmpty && (await isEmpty(dir, reason)));
    return { dir, reason, isNew: isToFill && (onlyLooks || (await fillOnce(dir))) };
  }
  const local = join(cwd, 'content');
  if (existsSync(join(local, 'history.json'))) {
    return { dir: local, reason: './content holds history.json', isNew: false };
  }
  const data = resolve(cwd, env.TYPEBADGE_DATA || defaultDataFolder());
  const dir = join(data, 'content');
  const isNew = onlyLooks ? !existsSync(join(dir, 'history.json')) : await fillOnce(dir);
  return { dir, reason: 'the data folder', isNew };
}

/** False if there is nothing of that name. Rejects if it is something else, or may not be opened. */
async function isFolder(dir: string, reason: string): Promise<boolean> {
  const found = await stat(dir).catch((error) => {
    if (isErrorCode(error, 'EACCES')) throw newRightsError(dir, reason);
    if (!isErrorCode(error, 'ENOTDIR')) return undefined;
    throw new ContentError(
      `The content folder ${dir} (${reason}) cannot be made: part of its path is a file.`,
    );
  });
  if (found?.isDirectory() === false)
    throw new ContentError(`The content folder ${dir} (${reason}) is not a folder.`);
  return found !== undefined;
}

function missingSentence(dir: string, reason: string): string {
  return `The content folder ${dir} (${reason}) does not exist. Correct its name, or make it: "typebadge serve --content ${dir}" and "typebadge announce publish" do.`;
}

function newRightsError(dir: string, reason: string): ContentError {
  return new ContentError(
    `The content folder ${dir} (${reason}) cannot be opened: this user may not. Change its rights, or name another.`,
  );
}

/** Ignores files of the file system, as on a new volume, and editors added before the first start. */
async function isEmpty(dir: string, reason: string): Promise<boolean> {
  const names = await readdir(dir).catch((error) => {
    throw isErrorCode(error, 'EACCES') ? newRightsError(dir, reason) : error;
  });
  const isNothing = (name: string) =>
    name.startsWith('.') || name === 'lost+found' || name === 'editors.json';
  return names.every(isNothing);
}

/** Resolves to whether it was necessary. Others may fill the folder at the same time, or publish in it. */
async function fillOnce(dir: string): Promise<boolean> {
  if (existsSync(join(dir, 'history.json'))) return false;
  try {
    makeFolder(dir);
    const content = createFolderContent(dir);
    // history.json comes last: if it exists, the folder is complete.
    for (const name of ['origins.json', 'history.json'] as const) {
      const text = await readFile(packageFile('content', 'sample', name), 'utf8');
      await addText(content, name, { text, log: '' });
    }
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

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
