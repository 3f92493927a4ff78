import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Part of the file's name, so that two versions of typebadge can use one folder. Raise it with what a fold gives, and with
 * the version of the journal's lines: what could not be read was folded as nothing.
 */
const formatVersion = 3;
/** A draft that old, in milliseconds, was left by a server that was killed. */
const staleDraft = 10 * 60_000;

export function snapshotPath(path: string): string {
  return `${path}.folded-${formatVersion}`;
}

/** Removes whatever was derived from a journal: snapshots of any version, drafts of them, and damaged lines put aside. */
export async function removeDerived(path: string): Promise<void> {
  const name = basename(path);
  const isDerived = (other: string) =>
    other.startsWith(`${name}.folded-`) || other.startsWith(`${name}.damaged-`);
  for (const other of (await readdir(dirname(path)).catch(() => [])).filter(isDerived)) {
    await rm(join(dirname(path), other), { force: true });
  }
}

/** Removes drafts of snapshots whose writers were killed. */
export async function removeDrafts(path: string): Promise<void> {
  const drafts = `${basename(snapshotPath(path))}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(drafts)) continue;
    const draft = join(dirname(path), name);
    const found = await stat(draft).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > staleDraft) await rm(draft, { force: true });
  }
}
