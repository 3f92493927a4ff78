import type { Steps } from '../../../kit/slices.ts';

/**
 * Caches the entries of a list by their text. A file of 20,000 announcements is read again after each change of one, and parsing
 * and checking all of them would take a second.
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
      const entry = known.get(text) ?? this.#read(text);
      if (entry === undefined) return undefined;
      // The key is the new text: a slice of the old file would keep all of that file in memory.
      entries.set(text, entry);
      list.push(entry);
      yield;
    }
    this.#entries = entries;
    return list;
  }
}
