import { toWeighted, type WeightedWords } from './weighted-draw.ts';

/**
 * How much a word is preferred, as a logarithm, for each occurrence of a letter or a pair of letters, or for being that
 * very word. What is missing counts as 0.
 */
export type Bias = ReadonlyMap<string, number>;

/** Words of one length, each with a weight. */
export interface SameLength extends WeightedWords {
  readonly length: number;
}

/** All words of one length, prepared for biases. */
export interface LengthClass extends SameLength {
  /** The letters of the words one after the other, as numbers of the list's `Letters`. */
  readonly codes: Uint16Array;
  /** Index of each word in `words`. */
  readonly places: ReadonlyMap<string, number>;
  /** Weights of the words without any bias. */
  readonly plain: Float64Array;
}

/** A number for every letter of a list: reading a table by number is ten times as fast as reading a map by text. */
export type Letters = ReadonlyMap<string, number>;

export function toLetters(words: readonly string[]): Letters {
  return new Map([...new Set(words.join(''))].map((letter, number) => [letter, number]));
}

/** @param words all of the same length; @param plain the weight of each word */
export function toLengthClass(words: readonly string[], plain: Float64Array, letters: Letters): LengthClass {
  return {
    ...toWeighted(words, plain),
    length: words[0]?.length ?? 0,
    codes: Uint16Array.from(words.join('').split(''), (letter) => letters.get(letter) as number),
    places: new Map(words.map((word, at) => [word, at])),
    plain,
  };
}

/**
 * Returns a function that applies a bias to the weights of the words of one length. It visits every word of a language, so it
 * multiplies by factors from tables instead of adding up logarithms.
 */
export function createWeighting(bias: Bias, letters: Letters): (words: LengthClass) => LengthClass {
  const { ofLetters, ofPairs, ofWords } = toFactors(bias, letters);
  return (words) => {
    const weights = words.plain.slice();
    if (ofLetters !== undefined) multiplyByLetters(weights, words, ofLetters);
    if (ofPairs !== undefined) multiplyByPairs(weights, words, ofPairs, letters.size);
    for (const [word, factor] of ofWords) multiplyOne(weights, words.places.get(word), factor);
    return { ...words, ...toWeighted(words.words, weights) };
  };
}

/** The factors that a bias multiplies weights by; a table of nothing but ones is left out. */
interface Factors {
  ofLetters?: Float64Array;
  /** A row for each first letter. */
  ofPairs?: Float64Array;
  readonly ofWords: [word: string, factor: number][];
}

function toFactors(bias: Bias, letters: Letters): Factors {
  const factors: Factors = { ofWords: [] };
  for (const [part, strength] of bias) {
    const factor = Math.exp(strength);
    if (part.length > 2) {
      factors.ofWords.push([part, factor]);
      continue;
    }
    const [first, second] = [letters.get(part.charAt(0)), letters.get(part.charAt(1))];
    if (first === undefined || (second === undefined && part.length === 2)) continue;
    if (second === undefined) {
      factors.ofLetters ??= new Float64Array(letters.size).fill(1);
      factors.ofLetters[first] = factor;
    } else {
      factors.ofPairs ??= new Float64Array(letters.size ** 2).fill(1);
      factors.ofPairs[first * letters.size + second] = factor;
    }
  }
  return factors;
}

function multiplyByLetters(
  weights: Float64Array,
  { codes, length }: LengthClass,
  factors: Float64Array,
): void {
  for (let word = 0, at = 0; word < weights.length; word++) {
    let product = 1;
    for (const end = at + length; at < end; at++) product *= factors[codes[at] as number] as number;
    weights[word] = (weights[word] as number) * product;
  }
}

/** @param size number of letters of the list */
function multiplyByPairs(
  weights: Float64Array,
  { codes, length }: LengthClass,
  factors: Float64Array,
  size: number,
): void {
  for (let word = 0; word < weights.length; word++) {
    const start = word * length;
    let row = (codes[start] as number) * size;
    let product = 1;
    for (let at = start + 1; at < start + length; at++) {
      const code = codes[at] as number;
      product *= factors[row + code] as number;
      row = code * size;
    }
    weights[word] = (weights[word] as number) * product;
  }
}

function multiplyOne(weights: Float64Array, place: number | undefined, factor: number): void {
  if (place !== undefined) weights[place] = (weights[place] as number) * factor;
}
