import { createRandom, type Random } from './random.ts';
import { drawFresh, drawIndex, sumOf, toWeighted, type WeightedWords } from './weighted-draw.ts';

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
interface LengthClass extends WeightedWords {
  readonly length: number;
  /** The letters of the words one after the other, as numbers of the list's `Letters`. */
  readonly codes: Uint16Array;
  /** What the words weigh without any bias. */
  readonly plain: Float64Array;
}

/** Every letter of a list, by its number: a table by numbers is read ten times as fast as a map by texts. */
type Letters = ReadonlyMap<string, number>;

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
  const letters: Letters = new Map([...new Set(list.join(''))].map((letter, number) => [letter, number]));
  const classes = toLengthClasses(list, letters);
  const plain = toPlan(classes);
  if ((plain.chances[wordsPerDraw]?.[wordsPerDraw * lettersPerWord] ?? 0) === 0) {
    throw new Error(
      `No ${wordsPerDraw} words of this list have ${wordsPerDraw * lettersPerWord} letters in all.`,
    );
  }
  return ({ seed, bias, count = wordsPerDraw }) => {
    const random = createRandom(seed);
    const plan = bias === undefined || bias.size === 0 ? plain : toPlan(classes.map(weighted(bias, letters)));
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
function toLengthClasses(list: readonly string[], letters: Letters): LengthClass[] {
  const byLength = new Map<number, { words: string[]; weights: number[] }>();
  [...new Set(list)].forEach((word, rank) => {
    const same = byLength.get(word.length) ?? { words: [], weights: [] };
    byLength.set(word.length, same);
    same.words.push(word);
    same.weights.push(baseWeight(rank));
  });
  return [...byLength]
    .filter(([, { words }]) => words.length > pause)
    .map(([length, { words, weights }]) => {
      const plain = Float64Array.from(weights);
      const codes = Uint16Array.from(words.join('').split(''), (letter) => letters.get(letter) as number);
      return { length, codes, plain, ...toWeighted(words, plain) };
    });
}

function weighted(bias: Bias, letters: Letters): (each: LengthClass) => LengthClass {
  const sumsOf = createBiasSums(bias, letters);
  return (each) => {
    const weights = sumsOf(each);
    for (let at = 0; at < weights.length; at++) {
      weights[at] = (each.plain[at] as number) * Math.exp(weights[at] as number);
    }
    return { ...each, ...toWeighted(each.words, weights) };
  };
}

/** What a bias says of each word of a length. It is asked of every word of a language. */
function createBiasSums(bias: Bias, letters: Letters): (words: LengthClass) => Float64Array {
  const { size } = letters;
  const ofLetters = new Float64Array(size);
  const ofPairs = new Float64Array(size * size);
  let [hasPairs, hasWords] = [false, false];
  for (const [part, strength] of bias) {
    const [first, second] = [letters.get(part.charAt(0)), letters.get(part.charAt(1))];
    if (part.length === 1 && first !== undefined) ofLetters[first] = strength;
    if (part.length === 2 && first !== undefined && second !== undefined) {
      ofPairs[first * size + second] = strength;
      hasPairs = true;
    }
    hasWords ||= part.length > 2;
  }
  return ({ words, codes, length }) => {
    const sums = new Float64Array(words.length);
    for (let at = 0, word = 0; word < words.length; word++) {
      let sum = hasWords && length > 2 ? (bias.get(words[word] as string) ?? 0) : 0;
      for (let before = -1, end = at + length; at < end; at++) {
        const code = codes[at] as number;
        sum += ofLetters[code] as number;
        if (hasPairs && before >= 0) sum += ofPairs[before * size + code] as number;
        before = code;
      }
      sums[word] = sum;
    }
    return sums;
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
    words.push(drawFresh(from, words.slice(-pause), random));
    letters -= from.length;
  }
}

/** The number of letters nearest to the one wanted that some choice of words has. */
function lettersOf(chances: Float64Array, wanted: number): number {
  const possible = Array.from(chances.keys()).filter((letters) => (chances[letters] as number) > 0);
  return possible.reduce(
    (nearest, letters) => (Math.abs(letters - wanted) < Math.abs(nearest - wanted) ? letters : nearest),
    possible[0] ?? wanted,
  );
}
