import { drawIndex, type Random, sumOf } from './random-draw.ts';

/** How much likelier each occurrence of the letter makes a word, and the minimum share of words with it. */
const gain = 16;
const minHolders = 0.6;

/** Weights that make one letter more frequent: words with it are preferred, more so where it comes twice. */
export function focusWeights(words: readonly string[], letter: string): number[] {
  const weights = words.map((word) => gain ** (word.split(letter).length - 1));
  const holders = sumOf(weights.filter((weight) => weight > 1));
  const others = sumOf(weights) - holders;
  const factor = Math.max(1, (minHolders * others) / ((1 - minHolders) * holders));
  return holders === 0 ? weights : weights.map((weight) => (weight > 1 ? factor * weight : weight));
}

const minLength = 3;
const lengths = 4;
const triesPerWord = 50;

/** How much more often the letter to practise follows another one than in the language. */
const insideGain = 1.6;

/**
 * Pronounceable words of these letters: each begins and ends as words of the language do, and any three
 * letters in a row also occur there; if that allows too few words, further ones only need pairs that occur
 * there. All have the letter `inside` after their first position, because only there is its time measured,
 * and some letters only begin words.
 */
export function inventWords(
  words: readonly string[],
  letters: readonly string[],
  inside: string,
  count: number,
  random: Random,
): string[] {
  if (count <= 0) return [];
  const runs = runsOf(words);
  const weightOf = (run: string) => (runs.has(run) ? (run.endsWith(inside) ? insideGain : 1) : 0);
  const follow = (before: string) => {
    const weights = letters.map((letter) => weightOf(before + letter));
    return letters[drawIndex(weights, random)];
  };
  const drawLength = () => minLength + Math.floor(random() * lengths);
  const ofTriples = (): string | undefined => {
    const length = drawLength();
    let word = edge;
    while (word.length <= length) {
      const next = follow(word.slice(-2));
      if (next === undefined) return undefined;
      word += next;
    }
    return runs.has(word.slice(-2) + edge) && word.includes(inside, 2) ? word.slice(1) : undefined;
  };
  const ofPairs = (): string => {
    const length = drawLength();
    let word = draw(letters, random);
    while (word.length < length) word += follow(word.slice(-1)) ?? draw(letters, random);
    return word.includes(inside, 1) ? word : withInside(word, inside, random);
  };
  const invented = new Set<string>();
  for (const invent of [ofTriples, ofPairs]) {
    for (let attempt = 0; invented.size < count && attempt < triesPerWord * count; attempt++) {
      const word = invent();
      if (word !== undefined) invented.add(word);
    }
  }
  return [...invented];
}

/** Stands before and after a word. */
const edge = '^';

/** Caches by list: that of a language is always the same object, and long. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The pairs and triples of letters that occur, with the edges of words as letters. */
function runsOf(words: readonly string[]): ReadonlySet<string> {
  const runs = known.get(words) ?? findRuns(words);
  known.set(words, runs);
  return runs;
}

function findRuns(words: readonly string[]): ReadonlySet<string> {
  const runs = new Set<string>();
  for (const word of words) {
    const whole = edge + word + edge;
    for (let at = 2; at <= whole.length; at++) {
      runs.add(whole.slice(at - 2, at)).add(whole.slice(Math.max(0, at - 3), at));
    }
  }
  return runs;
}

/** The word with this letter in place of another one, except the first. */
function withInside(word: string, letter: string, random: Random): string {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return word.slice(0, at) + letter + word.slice(at + 1);
}

function draw(from: readonly string[], random: Random): string {
  return from[Math.floor(random() * from.length)] as string;
}
