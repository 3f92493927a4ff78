/** Places in order of their last use. */
export interface RecencyRing {
  /** Adds a place as the most recently used one. */
  add(place: number): void;
  /** Makes a place the most recently used one. */
  touch(place: number): void;
  /** The least recently used place. */
  oldest(): number;
}

/**
 * A ring of numbers in flat arrays. (A `Map` in order of use has to walk its deleted entries to find the oldest one, which cost
 * 20 µs for each entry as soon as entries were forgotten.)
 *
 * @param size places are whole numbers below this one
 */
export function createRecencyRing(size: number): RecencyRing {
  /** With one extra place, the sentinel of the ring. */
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
