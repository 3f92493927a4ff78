import { type Bias, createWeighting, type LengthClass, toLengthClass, toLetters } from './biased-words.ts';
import { createRandom, type Random } from './random.ts';
import { drawFresh, drawIndex, sumOf } from './weighted-draw.ts';

/** Words drawn together, and their average number of letters. */
const wordsPerDraw = 30;
export const lettersPerWord = 5;
/** A word does not come again within this many words. */
const pause = 14;

export interface WordChoice {
  /** The same seed, list and other options give the same words. */
  readonly seed: number;
  /** Default: 30. */
  readonly count?: number;
  /** Preferences among the words. Default: none; frequent words are a little more likely. */
  readonly bias?: Bias;
  /** Share of the words that is drawn as if there were no bias, from 0 to below 1, so that no word disappears. Default: 0. */
  readonly evenShare?: number;
}

/** Chooses `count` words with five letters per word on average, none of them again within the next 14. */
export type WordChooser = (choice: WordChoice) => string[];

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
 * letters in all. The condition is met exactly, not by retrying: convolution of the chances of the word lengths gives the
 * chance that k words have n letters, so each length is drawn with its share of the ways that end at 150, and then a word
 * of that length by weight. A word's weight is exp(sum of its biases): in such an exponential family (Barndorff-Nielsen
 * 1978) a higher bias always raises the expected number of that letter, for any list.
 *
 * @throws if the list allows no such choice
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const letters = toLetters(list);
  const classes = toLengthClasses(list).map((words) =>
    toLengthClass(words.words, Float64Array.from(words.weights), letters),
  );
  const plain = toPlan(classes);
  if ((plain.chances[wordsPerDraw]?.[wordsPerDraw * lettersPerWord] ?? 0) === 0) {
    throw new Error(
      `No ${wordsPerDraw} words of this list have ${wordsPerDraw * lettersPerWord} letters in all.`,
    );
  }
  return ({ seed, bias, evenShare = 0, count = wordsPerDraw }) => {
    const random = createRandom(seed);
    const isEven = bias === undefined || bias.size === 0;
    const plan = isEven ? plain : toPlan(classes.map(createWeighting(bias, letters, evenShare)));
    const words: string[] = [];
    while (words.length < count) draw(plan, random, words, Math.min(wordsPerDraw, count - words.length));
    return words;
  };
}

/** Prefers frequent words a little: the first of a list of 6,000 comes about eight times as often as the last. */
function baseWeight(rank: number): number {
  return 1 / Math.sqrt(rank + 100);
}

/** Leaves out lengths with few words: all of them could be among the words that must not come again yet. */
function toLengthClasses(list: readonly string[]): { words: string[]; weights: number[] }[] {
  const byLength = new Map<number, { words: string[]; weights: number[] }>();
  [...new Set(list)].forEach((word, rank) => {
    const same = byLength.get(word.length) ?? { words: [], weights: [] };
    byLength.set(word.length, same);
    same.words.push(word);
    same.weights.push(baseWeight(rank));
  });
  return [...byLength.values()].filter(({ words }) => words.length > pause);
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
    const row = new Float64Array(letters + 1);
    for (const { length, sum } of classes) {
      addShifted(row, chances[words - 1] as Float64Array, length, sum / all);
    }
    chances.push(row);
  }
  return chances;
}

/** Adds the chances of one more word of this length, which is drawn with this chance. */
function addShifted(row: Float64Array, fewer: Float64Array, length: number, chance: number): void {
  for (let at = length; at < row.length; at++) {
    row[at] = (row[at] as number) + chance * (fewer[at - length] as number);
  }
}

/** Appends `count` words to `words`. */
function draw({ classes, chances }: Plan, random: Random, words: string[], count: number): void {
  const ways = new Float64Array(classes.length);
  let letters = lettersOf(chances[count] as Float64Array, count * lettersPerWord);
  for (let left = count - 1; left >= 0; left--) {
    const rest = chances[left] as Float64Array;
    // An index loop: this runs for every word and length, and iterating over entries took half of the time.
    for (let at = 0; at < classes.length; at++) {
      const { length, sum } = classes[at] as LengthClass;
      ways[at] = length <= letters ? sum * (rest[letters - length] as number) : 0;
    }
    const from = classes[drawIndex(ways, random)] as LengthClass;
    words.push(drawFresh(from, words.slice(-pause), random));
    letters -= from.length;
  }
}

/** The possible number of letters that is nearest to the wanted one. */
function lettersOf(chances: Float64Array, wanted: number): number {
  if ((chances[wanted] as number) > 0) return wanted;
  const possible = Array.from(chances.keys()).filter((letters) => (chances[letters] as number) > 0);
  return possible.reduce(
    (nearest, letters) => (Math.abs(letters - wanted) < Math.abs(nearest - wanted) ? letters : nearest),
    possible[0] ?? wanted,
  );
}
