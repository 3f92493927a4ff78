import { sep } from 'node:path';
import { findStoreCopy } from '../../../server/stores/files/store-copies.ts';
import { type Content, contentNames } from '../../../server/stores/ports.ts';
import { RefusedError } from '../../program/command-errors.ts';
import type { FolderSide, StoreSide } from './sides/data-side.ts';

/**
 * A content folder is mostly what a store was filled from once, and a copy of what the store has lost is newer. Which of
 * the two is meant only people know.
 */
export async function refuseFolderBesideCopy(folder: FolderSide, store: StoreSide): Promise<void> {
  if ((await store.content.read('history.json')) !== undefined) return;
  const copy = await findStoreCopy({ dataDir: folder.name, original: store.name });
  if (copy === undefined || (await saysTheSame(copy.content, folder.content))) return;
  const { name } = copy.content;
  // What was set aside is in folders within.
  if (`${folder.content.name}${sep}`.startsWith(`${name}${sep}`)) return;
  throw new RefusedError(
    `${store.name} has no content, but this data folder has a copy of what it had (${name}, last changed at ${copy.changed.toISOString()}). To restore that, repeat the command with --content ${name}; to import ${folder.content.name} instead, move that copy away first. Nothing was copied`,
  );
}

async function saysTheSame(copy: Content, folder: Content): Promise<boolean> {
  for (const name of contentNames) {
    const text = (await copy.read(name))?.text;
    if (text !== undefined && text !== (await folder.read(name))?.text) return false;
  }
  return true;
}
