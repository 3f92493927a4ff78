import { hash } from 'node:crypto';
import type { Change, StoredAnnouncement } from '../../../../announcements/announcement.ts';
import { isSameValue } from '../../../../announcements/same-value.ts';
import type { Steps } from '../../../../kit/slices.ts';

/**
 * Caches the entries of a list by the hash of their text. A file of 20,000 announcements is read again after each change of one,
 * and parsing and checking all of them would take a second. The texts themselves would take as much memory as the whole file.
 */
export class KnownEntries<T extends object> {
  #entries: ReadonlyMap<string, T> = new Map();
  readonly #read: (text: string) => T | undefined;

  /** @param read parses the text of an entry; must be pure. Undefined: something is wrong with it */
  constructor(read: (text: string) => T | undefined) {
    this.#read = read;
  }

  /** The entries of these texts, which replace the cache; undefined if something is wrong with one. */
  *read(texts: readonly string[]): Steps<readonly T[] | undefined> {
    const known = this.#entries;
    const entries = new Map<string, T>();
    const list: T[] = [];
    for (const text of texts) {
      const key = hash('sha256', text, 'base64url');
      const entry = known.get(key) ?? this.#read(text);
      if (entry === undefined) return undefined;
      entries.set(key, entry);
      list.push(entry);
      yield;
    }
    this.#entries = entries;
    return list;
  }
}

interface Versions {
  /** In the list of announcements. */
  readonly present?: StoredAnnouncement;
  /** The last one that a change mentioned. */
  readonly logged?: StoredAnnouncement;
}

/**
 * A version of an announcement is in the file up to three times: in the list, and before and after a change. Here all of them
 * become one object, so that a history takes half of the memory.
 */
export class SharedVersions {
  readonly #versions = new Map<string, Versions>();

  present(entry: StoredAnnouncement): StoredAnnouncement {
    this.#versions.set(entry.id, { ...this.#versions.get(entry.id), present: entry });
    return entry;
  }

  logged(change: Change): Change {
    const before = change.before && this.#share(change.before);
    const after = change.after && this.#share(change.after);
    return { ...change, before, after };
  }

  #share(entry: StoredAnnouncement): StoredAnnouncement {
    const { present, logged } = this.#versions.get(entry.id) ?? {};
    const shared = [present, logged].find((known) => isSameValue(known, entry)) ?? entry;
    this.#versions.set(entry.id, { ...(present === undefined ? {} : { present }), logged: shared });
    return shared;
  }

  /** Forgets announcements that are no longer in the file, if there are many. */
  prune(ids: readonly { readonly id: string }[]): void {
    if (this.#versions.size <= 2 * ids.length + 1_000) return;
    const known = new Set(ids.map(({ id }) => id));
    for (const id of this.#versions.keys()) if (!known.has(id)) this.#versions.delete(id);
  }
}
