import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file as a whole: whoever reads sees the old text or the new one, also after kill -9 or a power failure.
 * When the promise is fulfilled the new text is on the disk; when it is rejected (a full disk, say), the old one stands.
 * Not write-file-atomic: on a disk that fills up while it writes, that puts a cut-off file in place and reports success.
 */
export async function writeWholeFile(path: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(path).catch(() => path); // behind a symbolic link, the file itself is replaced
  const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o666;
  const draft = `${target}.${randomBytes(8).toString('hex')}.draft`;
  try {
    await withFile(await open(draft, 'wx', mode), async (file) => {
      await file.writeFile(content);
      await file.sync();
    });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Removes the drafts of a file whose writers were killed. Only for whoever knows that nobody is writing it now. */
export async function sweepDraftsOf(path: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const dir = dirname(target);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(target)}.`) && /\.[0-9a-f]{16}\.draft$/.test(name);
  const drafts = (await readdir(dir)).filter(isDraft);
  await Promise.all(drafts.map((name) => rm(join(dir, name), { force: true })));
}

async function withFile(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

// Makes the new name itself durable. Windows opens no folders, and needs none of this.
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r').catch(() => undefined);
  if (folder !== undefined) await withFile(folder, (file) => file.sync().catch(() => undefined));
}
