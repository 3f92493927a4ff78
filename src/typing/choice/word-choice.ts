import { createRandom, type Random } from './random.ts';

/** Words drawn together, and the letters that they have in all for each word. */
const wordsPerDraw = 30;
const lettersPerWord = 5;
/** A word does not come again within so many words. */
const pause = 14;

/**
 * How much more a word is preferred, as a logarithm, for each time it holds a letter or a pair of letters, or for being
 * this very word. What is missing is 0.
 */
export type Bias = ReadonlyMap<string, number>;

export interface WordChoice {
  /** The same seed, count, bias and list give the same words. */
  readonly seed: number;
  /** Default: 30. */
  readonly count?: number;
  /** Preferences among the words. Default: none, frequent words are a little more likely. */
  readonly bias?: Bias;
}

/** Chooses words: as many as asked for, five letters a word in all, none again within the next 14. */
export type WordChooser = (choice: WordChoice) => string[];

/** The words of one length, each with a weight. */
interface LengthClass {
  readonly length: number;
  readonly words: readonly string[];
  readonly weights: readonly number[];
  readonly sum: number;
}

/** Everything that drawing needs, for one weighting of the words. */
interface Plan {
  readonly classes: readonly LengthClass[];
  /** See `toChances`. */
  readonly chances: readonly Float64Array[];
}

/**
 * Prepares a list of words, the most frequent first.
 *
 * The chooser draws words, each with a chance proportional to its weight, under the condition that 30 of them have 150
 * letters in all. It is met exactly, not by trying again: from the chances of the word lengths follows the chance that k
 * words have n letters (by convolution), so each length is drawn with its share of the ways that end at 150, and then a
 * word of that length by weight. A word's weight is exp(sum of its biases): in such an exponential family
 * (Barndorff-Nielsen 1978) a higher bias always raises the expected number of that letter, whatever the list is like.
 *
 * @throws where no such choice can be made of the list
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const classes = toLengthClasses(list);
  const plain = toPlan(classes);
  if ((plain.chances[wordsPerDraw]?.[wordsPerDraw * lettersPerWord] ?? 0) === 0) {
    throw new Error(
      `No ${wordsPerDraw} words of this list have ${wordsPerDraw * lettersPerWord} letters in all.`,
    );
  }
  return ({ seed, bias, count = wordsPerDraw }) => {
    const random = createRandom(seed);
    const plan = bias === undefined || bias.size === 0 ? plain : toPlan(classes.map(weighted(bias)));
    const words: string[] = [];
    while (words.length < count) draw(plan, random, words, Math.min(wordsPerDraw, count - words.length));
    return words;
  };
}

/** Frequent words come a little more often: the first of a list of 6,000 about eight times as often as the last. */
function baseWeight(rank: number): number {
  return 1 / Math.sqrt(rank + 100);
}

/** Lengths with few words are left out: all of these words could be among those that must not come again. */
function toLengthClasses(list: readonly string[]): LengthClass[] {
  const byLength = new Map<number, { words: string[]; weights: number[] }>();
  [...new Set(list)].forEach((word, rank) => {
    const same = byLength.get(word.length) ?? { words: [], weights: [] };
    byLength.set(word.length, same);
    same.words.push(word);
    same.weights.push(baseWeight(rank));
  });
  return [...byLength]
    .filter(([, { words }]) => words.length > pause)
    .map(([length, { words, weights }]) => ({ length, words, weights, sum: sumOf(weights) }));
}

function weighted(bias: Bias): (each: LengthClass) => LengthClass {
  const biasOf = createBiasOf(bias);
  return (each) => {
    const weights = each.words.map((word, at) => (each.weights[at] as number) * Math.exp(biasOf(word)));
    return { ...each, weights, sum: sumOf(weights) };
  };
}

/** What a bias says of a word. It is asked of every word of a language, so it looks for pairs only where there are any. */
function createBiasOf(bias: Bias): (word: string) => number {
  const hasPairs = Array.from(bias.keys()).some(({ length }) => length === 2);
  const ofUnits = new Map<number, number>();
  for (const [key, strength] of bias) if (key.length === 1) ofUnits.set(key.charCodeAt(0), strength);
  return (word) => {
    let sum = word.length > 1 ? (bias.get(word) ?? 0) : 0;
    for (let at = 0; at < word.length; at++) {
      sum += ofUnits.get(word.charCodeAt(at)) ?? 0;
      if (hasPairs && at > 0 && word.length > 2) sum += bias.get(word.slice(at - 1, at + 1)) ?? 0;
    }
    return sum;
  };
}

function toPlan(classes: readonly LengthClass[]): Plan {
  return { classes, chances: toChances(classes) };
}

/** For each number of words (0 to 30) and of letters (0 to 150), the chance that so many words have so many letters. */
function toChances(classes: readonly LengthClass[]): Float64Array[] {
  const letters = wordsPerDraw * lettersPerWord;
  const all = sumOf(classes.map(({ sum }) => sum));
  const chances = [new Float64Array(letters + 1)];
  (chances[0] as Float64Array)[0] = 1;
  for (let words = 1; words <= wordsPerDraw; words++) {
    const fewer = chances[words - 1] as Float64Array;
    const row = new Float64Array(letters + 1);
    for (const { length, sum } of classes) {
      for (let at = length; at <= letters; at++) {
        row[at] = (row[at] as number) + (sum / all) * (fewer[at - length] as number);
      }
    }
    chances.push(row);
  }
  return chances;
}

/** Adds so many words to those that came before. */
function draw({ classes, chances }: Plan, random: Random, words: string[], count: number): void {
  let letters = lettersOf(chances[count] as Float64Array, count * lettersPerWord);
  for (let left = count - 1; left >= 0; left--) {
    const rest = chances[left] as Float64Array;
    const ways = classes.map(({ length, sum }) => sum * (rest[letters - length] ?? 0));
    const from = classes[drawIndex(ways, random)] as LengthClass;
    words.push(drawWord(from, new Set(words.slice(-pause)), random));
    letters -= from.length;
  }
}

/** Drawing again whatever came lately leaves the others their chances; few are, so a second draw is seldom needed. */
const mostDraws = 8;

function drawWord({ words, weights, sum }: LengthClass, recent: ReadonlySet<string>, random: Random): string {
  for (let drawn = 0; drawn < mostDraws; drawn++) {
    const word = words[drawIndex(weights, random, sum)] as string;
    if (!recent.has(word)) return word;
  }
  const open = weights.map((weight, at) => (recent.has(words[at] as string) ? 0 : weight));
  return words[drawIndex(open, random)] as string;
}

/** The number of letters nearest to the one wanted that some choice of words has. */
function lettersOf(chances: Float64Array, wanted: number): number {
  const possible = Array.from(chances.keys()).filter((letters) => (chances[letters] as number) > 0);
  return possible.reduce(
    (nearest, letters) => (Math.abs(letters - wanted) < Math.abs(nearest - wanted) ? letters : nearest),
    possible[0] ?? wanted,
  );
}

/** Draws an index by weight, never one of weight 0. */
function drawIndex(weights: readonly number[], random: Random, sum = sumOf(weights)): number {
  let point = random() * sum;
  let drawn = -1;
  for (let at = 0; at < weights.length && point >= 0; at++) {
    if (weights[at] === 0) continue;
    // Where rounding leaves the point past the last weight, the last one it is.
    drawn = at;
    point -= weights[at] as number;
  }
  return drawn;
}

function sumOf(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}
