import { letterAt } from './keyboard.ts';
import type { LetterBias } from './letter-bias.ts';
import { createRandom, type Random } from './random.ts';

const wordsPerRound = 30;
const lettersPerRound = 150;

const marks = [',', '.', ';', ':', '!', '?'] as const;

export interface WordChoice {
  /** The same seed, bias and list give the same words. */
  readonly seed: number;
  /** Preferences among the words. Default: none, all words are alike. */
  readonly bias?: LetterBias;
  /** Adds a mark to each word but the last. Default: false. */
  readonly punctuation?: boolean;
}

/** Chooses the words of a round: always 30 words, 150 letters in all, none twice in a row. */
export type WordChooser = (choice: WordChoice) => string[];

/** The words of one length, and which letters each consists of. */
interface LengthClass {
  readonly length: number;
  readonly words: readonly string[];
  readonly letters: readonly (readonly number[])[];
}

interface WeightedClass extends LengthClass {
  readonly weights: readonly number[];
  readonly sum: number;
}

/** Everything that drawing needs, for one weighting of the words. */
interface Plan {
  readonly classes: readonly WeightedClass[];
  /** See `toChances`. */
  readonly chances: readonly Float64Array[];
}

/**
 * Prepares a list of words of the letters a to z.
 *
 * The chooser draws 30 words, each with a chance proportional to its weight, under the condition that they have 150
 * letters in all. It is met exactly, not by trying again: from the chances of the word lengths follows the chance that k
 * words have n letters (by convolution), so each length is drawn with its share of the ways that end at 150, and then a
 * word of that length by weight. A word's weight is exp(sum of the biases of its letters): in such an exponential family
 * (Barndorff-Nielsen 1978) a higher bias always raises the expected number of that letter, whatever the list is like.
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const classes = toLengthClasses(list);
  const plain = toPlan(classes.map((each) => toWeighted(each)));
  if (plain.chances[wordsPerRound]?.[lettersPerRound] === 0) {
    throw new Error(`No ${wordsPerRound} words of this list have ${lettersPerRound} letters in all.`);
  }
  return ({ seed, bias, punctuation = false }) => {
    const random = createRandom(seed);
    const plan = bias === undefined ? plain : toPlan(classes.map((each) => toWeighted(each, bias)));
    const words = draw(plan, random);
    return punctuation
      ? words.map((word, at) => (at < words.length - 1 ? word + drawMark(random) : word))
      : words;
  };
}

/** A length with a single word is left out: the word could not be followed by one of its own length. */
function toLengthClasses(list: readonly string[]): LengthClass[] {
  const byLength = new Map<number, string[]>();
  for (const word of new Set(list)) {
    const words = byLength.get(word.length);
    if (words === undefined) byLength.set(word.length, [word]);
    else words.push(word);
  }
  return [...byLength]
    .filter(([, words]) => words.length > 1)
    .map(([length, words]) => ({
      length,
      words,
      letters: words.map((word) => Array.from(word, (_, at) => letterAt(word, at))),
    }));
}

function toWeighted(each: LengthClass, bias?: LetterBias): WeightedClass {
  const weights = each.letters.map((letters) =>
    Math.exp(letters.reduce((sum, letter) => sum + (bias?.[letter] ?? 0), 0)),
  );
  return { ...each, weights, sum: weights.reduce((sum, weight) => sum + weight, 0) };
}

function toPlan(classes: readonly WeightedClass[]): Plan {
  return { classes, chances: toChances(classes) };
}

/** For each number of words (0 to 30) and of letters (0 to 150), the chance that so many words have so many letters. */
function toChances(classes: readonly WeightedClass[]): Float64Array[] {
  const all = classes.reduce((sum, each) => sum + each.sum, 0);
  const chances = [new Float64Array(lettersPerRound + 1)];
  (chances[0] as Float64Array)[0] = 1;
  for (let words = 1; words <= wordsPerRound; words++) {
    const fewer = chances[words - 1] as Float64Array;
    const row = new Float64Array(lettersPerRound + 1);
    for (const { length, sum } of classes) {
      for (let letters = length; letters <= lettersPerRound; letters++) {
        row[letters] = (row[letters] as number) + (sum / all) * (fewer[letters - length] as number);
      }
    }
    chances.push(row);
  }
  return chances;
}

function draw({ classes, chances }: Plan, random: Random): string[] {
  const words: string[] = [];
  let letters = lettersPerRound;
  for (let left = wordsPerRound - 1; left >= 0; left--) {
    const rest = chances[left] as Float64Array;
    const ways = classes.map(({ length, sum }) => sum * (rest[letters - length] ?? 0));
    const { length, words: candidates, weights } = classes[drawIndex(ways, random)] as WeightedClass;
    const last = candidates.indexOf(words.at(-1) ?? '');
    words.push(candidates[drawIndex(weights, random, last)] as string);
    letters -= length;
  }
  return words;
}

/** Draws an index by weight, never one of weight 0 and never the one left out. */
function drawIndex(weights: readonly number[], random: Random, without = -1): number {
  const weightOf = (at: number) => (at === without ? 0 : (weights[at] as number));
  let point = random() * weights.reduce((sum, _, at) => sum + weightOf(at), 0);
  let drawn = -1;
  for (let at = 0; at < weights.length && point >= 0; at++) {
    if (weightOf(at) === 0) continue;
    // Where rounding leaves the point past the last weight, the last one it is.
    drawn = at;
    point -= weightOf(at);
  }
  return drawn;
}

function drawMark(random: Random): string {
  return marks[Math.floor(random() * marks.length)] as string;
}
