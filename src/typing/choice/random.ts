/** Draws numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/**
 * A repeatable source of random numbers: a Weyl sequence, each member scrambled by the finaliser of MurmurHash3
 * (Appleby 2011), as in SplitMix (Steele, Lea & Flood 2014). Good enough to choose words, not to keep secrets.
 *
 * @param seed a whole number; its lowest 32 bits count
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return scramble(state) / 0x1_0000_0000;
  };
}

/** A seed for the n-th draw from a seed: neighbouring numbers give unrelated seeds. */
export function deriveSeed(seed: number, number: number): number {
  return scramble((scramble(seed >>> 0) + number) >>> 0);
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
