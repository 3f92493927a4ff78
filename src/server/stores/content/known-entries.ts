import type { Steps } from '../../../kit/slices.ts';

/**
 * The entries of a list by the text that they were read from. A file of 20,000 announcements is read again with each change of one;
 * to parse and check all of them again would take a second.
 */
export class KnownEntries<T extends object> {
  #entries: ReadonlyMap<string, T> = new Map();
  readonly #read: (text: string) => T | undefined;

  /** @param read makes an entry of its text, and of the same text always the same; undefined where something is wrong with it */
  constructor(read: (text: string) => T | undefined) {
    this.#read = read;
  }

  /** The entries of these texts, which are what is known from then on; undefined where something is wrong with one. */
  *read(texts: readonly string[]): Steps<readonly T[] | undefined> {
    const known = this.#entries;
    const entries = new Map<string, T>();
    const list: T[] = [];
    for (const text of texts) {
      const entry = known.get(text) ?? this.#read(text);
      if (entry === undefined) return undefined;
      // With the new text as its key: a part of the old one would keep all of that in memory.
      entries.set(text, entry);
      list.push(entry);
      yield;
    }
    this.#entries = entries;
    return list;
  }
}
