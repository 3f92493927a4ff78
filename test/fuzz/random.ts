/** Pseudo-random choices: the same seed and index make the same ones on every machine. */
export interface Random {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(choices: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** Sebastiano Vigna's splitmix, in 32 bits. */
export function createRandom(seed: number, index = 0): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (bound: number) => next() % bound;
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
