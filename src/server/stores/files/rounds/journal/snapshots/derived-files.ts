import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Part of the file's name, so that two versions of typebadge can share a folder. Raise it whenever the result of folding changes,
 * and with the version of the journal's lines, because lines that could not be read are missing from the fold.
 */
const formatVersion = 4;
/** Age in milliseconds from which a draft must be from a server that was killed. */
const staleDraft = 10 * 60_000;

export function snapshotPath(path: string): string {
  return `${path}.folded-${formatVersion}`;
}

/** Removes all files derived from a journal: snapshots of any version, their drafts, and copies of damaged lines. */
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
