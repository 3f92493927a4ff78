import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './folder.ts';
import { giveToOwnerOf, keepOwnership, type Lost } from './ownership.ts';

export interface WholeFileOptions {
  /** A new file is for its owner alone. Default: false. */
  readonly isPrivate?: boolean;
}

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after kill -9 or a power failure.
 * When the promise is fulfilled the new text is on the disk; when it is rejected (a full disk, say), the old one is still there.
 * Owner, group and mode stay; resolves to what of them could not be kept. A new file written by root belongs to the owner
 * of its folder.
 *
 * Not write-file-atomic: on a disk that fills up while it writes, that puts a cut-off file in place and reports success.
 */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isPrivate = false }: WholeFileOptions = {},
): Promise<readonly Lost[]> {
  const target = await realpath(path).catch(() => path); // behind a symbolic link, the file itself is replaced
  const old = await stat(target).catch(() => undefined);
  const draft = `${target}.${randomBytes(8).toString('hex')}.draft`;
  try {
    // Nobody else reads the draft before it has the mode that it should have.
    const mode = old === undefined && !isPrivate ? 0o666 : 0o600;
    const lost = await withFile(await open(draft, 'wx', mode), async (file) => {
      const notKept = old === undefined ? [] : await keepOwnership(file, old);
      if (old === undefined) await giveToOwnerOf(dirname(target), file);
      await writeFile(file, content);
      await file.sync();
      return notKept;
    });
    await rename(draft, target);
    await syncFolder(dirname(target));
    return lost;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes the drafts of a file whose writers were killed. Only for a caller who knows that nobody is writing it now. */
export async function sweepDraftsOf(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const dir = dirname(target);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(target)}.`) && /\.[0-9a-f]{16}\.draft$/.test(name);
  const drafts = (await readdir(dir)).filter(isDraft);
  await Promise.all(drafts.map((name) => rm(join(dir, name), { force: true })));
}

async function withFile<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
