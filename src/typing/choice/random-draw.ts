/** Draws numbers from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/**
 * A repeatable source of random numbers: a Weyl sequence, each member scrambled by the finaliser of
 * MurmurHash3 (Appleby 2011), as in SplitMix (Steele, Lea & Flood 2014): for words, not for secrets.
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

/** Draws an index by weight, never one of weight 0; -1 if all weights are 0. */
export function drawIndex(weights: ArrayLike<number>, random: Random): number {
  let point = random() * sumOf(weights);
  let drawn = -1;
  for (let at = 0; at < weights.length && point >= 0; at++) {
    if (weights[at] === 0) continue;
    // If rounding leaves the point past the last weight, the last one is drawn.
    drawn = at;
    point -= weights[at] as number;
  }
  return drawn;
}

export function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at] as number;
  return sum;
}

export interface WeightedWords {
  readonly words: readonly string[];
  /** Running sums of the weights, which are all above 0. */
  readonly sums: Float64Array;
  readonly sum: number;
}

export function weightedWords(words: readonly string[], weights: ArrayLike<number>): WeightedWords {
  const sums = new Float64Array(words.length);
  let sum = 0;
  for (let at = 0; at < sums.length; at++) {
    sum += weights[at] as number;
    sums[at] = sum;
  }
  return { words, sums, sum };
}

/** Maximum number of draws: repeating one keeps the chances of the other words, and is seldom needed. */
const maxDraws = 8;

/** Draws a word by weight that is not among the recent ones. There must be others. */
function drawFresh({ words, sums, sum }: WeightedWords, recent: readonly string[], random: Random): string {
  for (let drawn = 0; drawn < maxDraws; drawn++) {
    const word = words[findSum(sums, random() * sum)] as string;
    if (!recent.includes(word)) return word;
  }
  const open = words.map((word, at) =>
    recent.includes(word) ? 0 : (sums[at] as number) - (at > 0 ? (sums[at - 1] as number) : 0),
  );
  return words[drawIndex(open, random)] as string;
}

/** A word does not come again within this many words. */
export const pause = 14;

/**
 * Draws a word for each place, none of them again within the next `distance`.
 *
 * @param others for a place all of whose words are recent; there must be more than `distance` of them
 */
export function drawApart(
  places: readonly WeightedWords[],
  others: WeightedWords,
  random: Random,
  distance = pause,
): string[] {
  const drawn: string[] = [];
  for (const place of places) {
    const recent = distance === 0 ? [] : drawn.slice(-distance);
    const hasFresh = place.words.some((word) => !recent.includes(word));
    drawn.push(drawFresh(hasFresh ? place : others, recent, random));
  }
  return drawn;
}

/** Index of the first of these ascending sums above a point; the last one if rounding leaves none. */
function findSum(sums: Float64Array, point: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] as number) > point) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** In random order, every order as likely as any other (Fisher & Yates). */
export function shuffle<T>(all: T[], random: Random): T[] {
  for (const at of all.keys()) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
