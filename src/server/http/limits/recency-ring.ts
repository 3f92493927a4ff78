/** Places, by the order in which they were used last. */
export interface RecencyRing {
  /** Takes in a place, as the one used last. */
  add(place: number): void;
  /** Makes a place the one used last. */
  touch(place: number): void;
  /** The place unused for longest. */
  oldest(): number;
}

/**
 * A ring of numbers in flat lists. (A `Map` in the order of use walks its deleted entries to find its oldest, which cost 20 µs
 * from the first forgotten entry on.)
 *
 * @param size places are whole numbers below this one
 */
export function createRecencyRing(size: number): RecencyRing {
  /** One place more, for the ends of the ring. */
  const older = new Uint32Array(size + 1);
  const newer = new Uint32Array(size + 1);
  const ends = size;
  older[ends] = ends;
  newer[ends] = ends;

  function add(place: number): void {
    const newest = older[ends] as number;
    newer[newest] = place;
    older[place] = newest;
    newer[place] = ends;
    older[ends] = place;
  }

  return {
    add,
    touch(place) {
      if (older[ends] === place) return;
      const before = older[place] as number;
      const after = newer[place] as number;
      newer[before] = after;
      older[after] = before;
      add(place);
    },
    oldest: () => newer[ends] as number,
  };
}
