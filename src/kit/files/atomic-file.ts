import { randomBytes } from 'node:crypto';
import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from './folder.ts';
import { giveToOwnerOf, keepOwnership } from './ownership.ts';

export interface ReplaceOptions {
  /** Whether only its owner may read a new file. Default: false. */
  readonly isPrivate?: boolean;
  /**
   * Called once the new text is on disk, just before it replaces the old file, which stays if this rejects.
   */
  readonly confirm?: () => Promise<void>;
}

/**
 * Replaces a file as a whole: readers see the old text or the new one, even after kill -9 or a power failure.
 * When the promise resolves, the new text is on disk; when it rejects (a full disk, say), the old one is
 * still there. Owner, group and mode are kept as far as this user may. A new file written by root
 * belongs to the owner of its folder.
 *
 * Not write-file-atomic: if the disk fills up while it writes, it puts a truncated file in place and reports
 * success.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isPrivate = false, confirm }: ReplaceOptions = {},
): Promise<void> {
  const target = await realpath(path).catch(() => path); // of a symbolic link, replace the file that it points to
  const old = await stat(target).catch(() => undefined);
  const draft = `${target}.${randomBytes(8).toString('hex')}.draft`;
  try {
    // Nobody else can read the draft before it has its final mode.
    const mode = old === undefined && !isPrivate ? 0o666 : 0o600;
    const file = await open(draft, 'wx', mode);
    try {
      if (old === undefined) giveToOwnerOf(dirname(target), file.fd);
      else await keepOwnership(file, old);
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await confirm?.();
    await rename(draft, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes the drafts of a file whose writers were killed. Only call it when nobody is writing the file. */
export async function sweepDraftsOf(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const dir = dirname(target);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(target)}.`) && /\.[0-9a-f]{16}\.draft$/.test(name);
  const drafts = (await readdir(dir)).filter(isDraft);
  await Promise.all(drafts.map((name) => rm(join(dir, name), { force: true })));
}
