import type { PulseCount } from '../../../../server/stores/pulse-tally.ts';
import type { CopiedCounts } from '../../../../server/stores/redis/pulse/copied-counts.ts';
import type { Copied } from './copied.ts';

/** The counters of the badge in a data folder. */
export interface FolderCounts {
  read(): Promise<readonly PulseCount[]>;
  /** Distinguishes this folder from every other, even after it is moved. */
  id(): Promise<string>;
  /** Raises counters to at least these. */
  raise(counts: readonly PulseCount[]): Promise<void>;
}

/** The counters of the badge in a store. */
export interface StoreCounts extends CopiedCounts {
  read(): Promise<readonly PulseCount[]>;
}

/** Adds what the folder has counted since it was copied last. */
export async function importCounts(folder: FolderCounts, store: StoreCounts): Promise<Copied> {
  const counts = await folder.read();
  if (counts.length === 0) return { found: 0, added: 0 };
  return { found: counts.length, added: await store.add(await folder.id(), counts) };
}

/**
 * Raises the folder's counters to those of the store. What the folder has counted and the store does not know stays to be
 * imported: it is left out of what the store then knows of the folder.
 */
export async function exportCounts(store: StoreCounts, folder: FolderCounts): Promise<Copied> {
  const counts = await store.read();
  if (counts.length === 0) return { found: 0, added: 0 };
  const before = toMap(await folder.read());
  const raised = counts.filter((count) => count.count > (before.get(nameOf(count)) ?? 0));
  await folder.raise(raised);
  const id = await folder.id();
  const known = toMap(await store.known(id));
  const shared = raised.map((count) => {
    const name = nameOf(count);
    const own = Math.max(0, (before.get(name) ?? 0) - (known.get(name) ?? 0));
    return { ...count, count: count.count - own };
  });
  await store.setKnown(id, shared);
  return { found: counts.length, added: raised.length };
}

function toMap(counts: readonly PulseCount[]): Map<string, number> {
  return new Map(counts.map((count) => [nameOf(count), count.count]));
}

/** What a counter counts, for comparisons and for people. */
export function nameOf({ day, announcement, event, site }: PulseCount): string {
  return `${day} ${announcement} ${event} ${site}`;
}
