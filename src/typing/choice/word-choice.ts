import {
  createRandom,
  drawFresh,
  drawIndex,
  hasFresh,
  pause,
  type Random,
  sumOf,
  type WeightedWords,
  weightedWords,
} from './random-draw.ts';
import { type Bias, createWeighting } from './weighting.ts';

/** Words drawn together, and their average number of letters. */
const wordsPerDraw = 30;
const lettersPerWord = 5;

export interface WordChoice {
  /** The same seed, list and other options give the same words. */
  readonly seed: number;
  /** Default: 30. */
  readonly count?: number;
  /** Preferences among the words. Default: none; frequent words are a little more likely. */
  readonly bias?: Bias;
}

/** Chooses `count` words with five letters per word on average, none of them again within the next 14. */
export type WordChooser = (choice: WordChoice) => string[];

/** Words of one length, each with a weight. */
interface SameLength extends WeightedWords {
  readonly length: number;
}

/** Everything that drawing needs. */
interface Plan {
  readonly classes: readonly SameLength[];
  /** For each number of last words, from 0 on: the chances that they have 0 to 150 letters. */
  readonly chances: readonly Float64Array[];
}

/**
 * Prepares a list of words, the most frequent first.
 *
 * The chooser draws words, each with a chance proportional to its weight, under the condition that 30 of them
 * have 150 letters in all. It is met exactly, without retrying: convolution of the chances of the lengths
 * gives the chance that k words have n letters, so each length is drawn with its share of the ways that end
 * at 150, and then a word of that length by weight. That is exp(sum of its biases): in such an exponential
 * family (Barndorff-Nielsen 1978) a higher bias always raises the expected number of that letter, for any
 * list.
 *
 * @throws if the list allows no such choice
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const byLength = wordsByLength(list);
  const plain = planOf(byLength.map(({ words, weights }) => sameLength(words, weights)));
  if ((plain.chances[wordsPerDraw]?.[wordsPerDraw * lettersPerWord] ?? 0) === 0) {
    throw new Error(
      `No ${wordsPerDraw} words of this list have ${wordsPerDraw * lettersPerWord} letters in all.`,
    );
  }
  return ({ seed, bias = new Map(), count = wordsPerDraw }) => {
    const random = createRandom(seed);
    const weigh = createWeighting(bias);
    const plan =
      bias.size === 0
        ? plain
        : planOf(byLength.map(({ words, weights }) => sameLength(words, weigh(words, weights))));
    const words: string[] = [];
    while (words.length < count) draw(plan, random, words, Math.min(wordsPerDraw, count - words.length));
    return words;
  };
}

/** Prefers frequent words a little: the first of 6,000 comes about eight times as often as the last. */
export function baseWeight(rank: number): number {
  return 1 / Math.sqrt(rank + 100);
}

function sameLength(words: readonly string[], weights: ArrayLike<number>): SameLength {
  return { ...weightedWords(words, weights), length: words[0]?.length ?? 0 };
}

/** Leaves out lengths with few words, all of which could be too recent to come again. */
function wordsByLength(list: readonly string[]): { words: string[]; weights: number[] }[] {
  const byLength = new Map<number, { words: string[]; weights: number[] }>();
  [...new Set(list)].forEach((word, rank) => {
    const same = byLength.get(word.length) ?? { words: [], weights: [] };
    byLength.set(word.length, same);
    same.words.push(word);
    same.weights.push(baseWeight(rank));
  });
  return [...byLength.values()].filter(({ words }) => words.length > pause);
}

function planOf(classes: Plan['classes']): Plan {
  const all = sumOf(classes.map(({ sum }) => sum));
  const chances = [new Float64Array(wordsPerDraw * lettersPerWord + 1)];
  (chances[0] as Float64Array)[0] = 1;
  for (let words = 1; words <= wordsPerDraw; words++) {
    const fewer = chances[words - 1] as Float64Array;
    const row = new Float64Array(fewer.length);
    for (const { length, sum } of classes) addShifted(row, fewer, length, sum / all);
    chances.push(row);
  }
  return { classes, chances };
}

/** Adds the chances of one more word of this length, which is drawn with this chance. */
function addShifted(row: Float64Array, fewer: Float64Array, length: number, chance: number): void {
  for (let at = length; at < row.length; at++) {
    row[at] = (row[at] as number) + chance * (fewer[at - length] as number);
  }
}

/** Appends `count` words to `words`. */
function draw({ classes, chances }: Plan, random: Random, words: string[], count: number): void {
  let letters = possibleLetters(chances[count] as Float64Array, count * lettersPerWord);
  for (let left = count - 1; left >= 0; left--) {
    const rest = chances[left] as Float64Array;
    const recent = words.slice(-pause);
    // If no fresh word leaves a possible number of letters, their number is given up.
    const from =
      drawClass(classes, recent, random, (length) => rest[letters - length]) ??
      (drawClass(classes, recent, random, () => 1) as SameLength);
    words.push(drawFresh(from, recent, random));
    letters -= from.length;
  }
}

/** A length that has words that are not recent, by weight and by the chance that `chanceOf` gives it. */
function drawClass(
  classes: readonly SameLength[],
  recent: readonly string[],
  random: Random,
  chanceOf: (length: number) => number | undefined,
): SameLength | undefined {
  const ways = new Float64Array(classes.length);
  // An index loop: this runs for every word and length, and iterating over entries would double the time.
  for (let at = 0; at < classes.length; at++) {
    const words = classes[at] as SameLength;
    ways[at] = hasFresh(words, recent) ? words.sum * (chanceOf(words.length) ?? 0) : 0;
  }
  return classes[drawIndex(ways, random)];
}

/** The possible number of letters that is nearest to the wanted one. */
function possibleLetters(chances: Float64Array, wanted: number): number {
  const possible = Array.from(chances.keys()).filter((letters) => (chances[letters] as number) > 0);
  return possible.reduce(
    (nearest, letters) => (Math.abs(letters - wanted) < Math.abs(nearest - wanted) ? letters : nearest),
    possible[0] ?? wanted,
  );
}
