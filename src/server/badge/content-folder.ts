import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defaultDataFolder } from '../config.ts';
import { makeFolder } from '../folder.ts';
import { packageFile } from '../package-files.ts';
import { ContentError } from './content-error.ts';
import { historyFileName, originsFileName } from './content-store.ts';

export interface ContentFolder {
  /** Absolute path. */
  readonly dir: string;
  /** Why this one, for `--verbose`. */
  readonly reason: string;
}

export interface ContentFolderOptions {
  /** From `--content`. */
  readonly content?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** Finds the content folder; the one in the data folder is filled from the package at first use. */
export async function resolveContentFolder({
  content,
  env,
  cwd,
}: ContentFolderOptions): Promise<ContentFolder> {
  // An empty name usually comes from a shell variable that is not set; taking another folder then would be a surprise.
  if (content === '') throw new ContentError('The name given with --content is empty.');
  if (content !== undefined) return openNamed(resolve(cwd, content), '--content');
  if (env.TYPEBADGE_CONTENT) return openNamed(resolve(cwd, env.TYPEBADGE_CONTENT), 'TYPEBADGE_CONTENT');
  const local = join(cwd, 'content');
  if (existsSync(join(local, historyFileName))) {
    return { dir: local, reason: `./content holds ${historyFileName}` };
  }
  const data = resolve(cwd, env.TYPEBADGE_DATA || defaultDataFolder());
  const dir = join(data, 'content');
  await fillOnce(dir);
  return { dir, reason: 'the data folder' };
}

async function openNamed(dir: string, reason: string): Promise<ContentFolder> {
  const found = await stat(dir).catch(() => undefined);
  if (found === undefined)
    throw new ContentError(
      `The content folder ${dir} (${reason}) does not exist. Make it first, or correct its name.`,
    );
  if (!found.isDirectory()) throw new ContentError(`The content folder ${dir} (${reason}) is not a folder.`);
  return { dir, reason };
}

async function fillOnce(dir: string): Promise<void> {
  if (existsSync(join(dir, historyFileName))) return;
  try {
    await makeFolder(dir);
    // history.json comes last: where it is, the folder is complete.
    for (const name of [originsFileName, historyFileName])
      await copyOnce(packageFile('content', name), join(dir, name));
  } catch (error) {
    throw new ContentError(
      `The content folder ${dir} cannot be filled: ${reasonOf(error)}. Choose another with --content.`,
      undefined,
      [],
      { cause: error },
    );
  }
}

// Several processes may fill the folder at once, and an editor may be faster: a link never replaces and never shows half a file.
async function copyOnce(from: string, to: string): Promise<void> {
  const draft = `${to}.${randomUUID()}.new`;
  await writeFile(draft, await readFile(from));
  try {
    await link(draft, to);
  } catch (error) {
    if (!isErrorCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
