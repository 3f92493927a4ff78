import { isJsonObject } from '../../../announcements/values/object-parts.ts';

type Entries<T> = Map<unknown, { readonly written: unknown; readonly read: T }>;

/**
 * The entries of a list as they were written when they were last found right, and what was made of them. A file of 20,000
 * announcements is read again with each change of one; to check all of them again would hold up every reader for a second.
 */
export class KnownEntries<T> {
  #entries: Entries<T> = new Map();
  readonly #keyOf: (written: unknown, at: number) => unknown;

  constructor(keyOf: (written: unknown, at: number) => unknown) {
    this.#keyOf = keyOf;
  }

  /**
   * What of the list is to be read: the entries that are new or others than before; everything where it is not a list.
   * `complete` takes what was made of these, and gives the whole list in its order, which is what is known from then on.
   */
  recall(list: unknown): { readonly rest: unknown; complete(rest: readonly T[]): readonly T[] } {
    if (!Array.isArray(list)) return { rest: list, complete: (rest) => rest };
    const keys = list.map(this.#keyOf);
    const found = list.map((written, at) => {
      const known = this.#entries.get(keys[at]);
      return known !== undefined && isSame(known.written, written) ? known : undefined;
    });
    return {
      rest: list.filter((_, at) => found[at] === undefined),
      complete: (rest) => {
        const fresh = rest.values();
        const whole = found.map((known, at) => known ?? { written: list[at], read: fresh.next().value as T });
        this.#entries = new Map(whole.map((entry, at) => [keys[at], entry]));
        return whole.map(({ read }) => read);
      },
    };
  }
}

/** Of values that JSON.parse gives. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((part, at) => isSame(part, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const [ours, theirs] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const names = Object.keys(ours);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => Object.hasOwn(theirs, name) && isSame(ours[name], theirs[name]))
  );
}
