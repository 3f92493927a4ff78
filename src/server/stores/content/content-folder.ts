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
  /** Whether `--content` or the environment names it: the name of a missing one may be misspelt. */
  readonly isNamed: boolean;
  /** `empty`: it holds nothing that a person has put there. The one in the data folder is never empty. */
  readonly state: 'missing' | 'empty' | 'used';
}

export interface ContentFolderOptions {
  /** Value of `--content`. */
  readonly content?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Finds the content folder, and writes nothing. */
export async function findContentFolder(options: ContentFolderOptions): Promise<ContentFolder> {
  const { content, env, cwd } = options;
  // An empty name usually comes from an unset shell variable; another folder would then be a surprise.
  if (content === '') throw new ContentError('The value of --content is empty.');
  const name = content ?? env.TYPEBADGE_CONTENT;
  if (name) {
    const reason = content === undefined ? 'TYPEBADGE_CONTENT' : '--content';
    const dir = resolve(cwd, name);
    return { dir, reason, isNamed: true, state: await stateOf(dir, reason) };
  }
  const local = join(cwd, 'content');
  const [isLocal, dataDir] = [hasHistory(local), resolve(cwd, env.TYPEBADGE_DATA || defaultDataFolder())];
  if (isLocal) return { dir: local, reason: './content holds history.json', isNamed: false, state: 'used' };
  const dir = join(dataDir, 'content');
  return { dir, reason: 'your data folder', isNamed: false, state: hasHistory(dir) ? 'used' : 'missing' };
}

function hasHistory(dir: string): boolean {
  return existsSync(join(dir, 'history.json'));
}

async function stateOf(dir: string, reason: string): Promise<ContentFolder['state']> {
  try {
    return (await readdir(dir)).every(isNothing) ? 'empty' : 'used';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    throw new ContentError(`The content folder ${dir} (${reason}) cannot be used: ${fileProblem(error)}.`);
  }
}

/** Whether a folder with this file counts as empty: a new volume, or editors that were added first. */
function isNothing(name: string): boolean {
  return name.startsWith('.') || name === 'lost+found' || name === 'editors.json';
}

/**
 * Creates a folder and fills it with the sample. Other processes may do so, or publish in it, at the same
 * time.
 */
export async function fillContentFolder(dir: string): Promise<void> {
  try {
    makeFolder(dir);
    const content = createFolderContent(dir);
    // history.json comes last: if it exists, the folder is complete.
    for (const name of ['origins.json', 'history.json'] as const) {
      const text = String(await readFile(packageFile('content', 'sample', name)));
      await addText(content, name, { text, log: '' });
    }
  } catch (error) {
    const { message } = error as Error;
    throw new ContentError(
      `The content folder ${dir} cannot be filled: ${message}. Choose another with --content.`,
    );
  }
}
