import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileProblem } from '../../../kit/files/file-problem.ts';
import { makeFolder } from '../../../kit/files/folder.ts';
import { packageFile } from '../../../kit/package-files.ts';
import { defaultDataFolder } from '../../settings/config.ts';
import { ContentError } from './content.ts';
import { addText } from './content-store.ts';
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
  /** Whether to fill a named folder that exists but is empty, too. Default: false. */
  readonly fillsEmpty?: boolean;
  /** Whether not to create a named folder that is missing: the content is elsewhere. Default: false. */
  readonly isOptional?: boolean;
  /** Whether a named folder must exist, because its name may be misspelt. Default: false. */
  readonly mustExist?: boolean;
  /** Whether to only find the folder without writing: `isNew` then means that it is empty. Default: false. */
  readonly isReadOnly?: boolean;
}

/**
 * Finds the content folder. On first use, a named folder that is missing and the one in the data folder are
 * created and filled with the sample.
 */
export async function resolveContentFolder({
  content,
  env,
  cwd,
  fillsEmpty = false,
  isOptional = false,
  mustExist = false,
  isReadOnly = false,
}: ContentFolderOptions): Promise<ContentFolder> {
  // An empty name usually comes from an unset shell variable; another folder would then be a surprise.
  if (content === '') throw new ContentError('The value of --content is empty.');
  const named = content ?? env.TYPEBADGE_CONTENT;
  if (named) {
    const reason = content === undefined ? 'TYPEBADGE_CONTENT' : '--content';
    const dir = resolve(cwd, named);
    const names = await namesIn(dir, reason);
    if (names === undefined && isOptional)
      return { dir, reason: `${reason}, which does not exist`, isNew: false };
    if (names === undefined && mustExist) {
      throw new ContentError(
        `The content folder ${dir} (${reason}) does not exist. Correct its name, or create it: "typebadge serve --content ${dir}" and "typebadge announce publish" do that.`,
      );
    }
    const isToFill = names === undefined || (fillsEmpty && names.every(isNothing));
    return { dir, reason, isNew: isToFill && (isReadOnly || (await fillOnce(dir))) };
  }
  const local = join(cwd, 'content');
  if (existsSync(join(local, 'history.json'))) {
    return { dir: local, reason: './content holds history.json', isNew: false };
  }
  const data = resolve(cwd, env.TYPEBADGE_DATA || defaultDataFolder());
  const dir = join(data, 'content');
  const isNew = isReadOnly ? !existsSync(join(dir, 'history.json')) : await fillOnce(dir);
  return { dir, reason: 'the data folder', isNew };
}

/** The names in a folder; undefined if it does not exist. */
async function namesIn(dir: string, reason: string): Promise<string[] | undefined> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `The content folder ${dir} (${reason}) cannot be used: ${fileProblem(error)}.`;
    throw new ContentError(message, undefined, [], { cause: error });
  }
}

/** Whether a folder with this file counts as empty: a new volume, or editors that were added first. */
function isNothing(name: string): boolean {
  return name.startsWith('.') || name === 'lost+found' || name === 'editors.json';
}

/** Resolves to whether it was empty. Other processes may fill it, or publish in it, at the same time. */
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
    const message = `The content folder ${dir} cannot be filled: ${(error as Error).message}. Choose another with --content.`;
    throw new ContentError(message, undefined, [], { cause: error });
  }
}
