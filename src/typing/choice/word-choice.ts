import {
  createRandom,
  drawApart,
  drawIndex,
  pause,
  type Random,
  sumOf,
  type WeightedWords,
  weightedWords,
} from './random-draw.ts';
import { type Bias, createWeighting } from './weighting.ts';

/** Words of a usual choice, and the average number of letters of every choice. */
const usualCount = 30;
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

interface SameLength extends WeightedWords {
  readonly length: number;
}

/**
 * Prepares a list of words, the most frequent first.
 *
 * The chooser draws a length for each place, and then a word of that length by weight, which is
 * exp(sum of its biases): a higher bias brings more of that letter, for any list.
 *
 * @throws if the list allows no such choice
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const byLength = wordsByLength(list);
  const choose: WordChooser = ({ seed, bias = new Map(), count = usualCount }) => {
    const random = createRandom(seed);
    const weigh = createWeighting(bias);
    const classes = byLength.map(
      ([length, { words, weights }]): SameLength => ({
        ...weightedWords(words, weigh(words, weights)),
        length,
      }),
    );
    const places = drawLengths(classes, count, random);
    return drawApart(places, places[0] as SameLength, random);
  };
  choose({ seed: 0 });
  return choose;
}

/** Prefers frequent words a little: the first of 6,000 comes about eight times as often as the last. */
export function baseWeight(rank: number): number {
  return 1 / Math.sqrt(rank + 100);
}

/** Leaves out lengths with few words, all of which could be too recent to come again. */
function wordsByLength(list: readonly string[]) {
  const byLength = new Map<number, { words: string[]; weights: number[] }>();
  [...new Set(list)].forEach((word, rank) => {
    const same = byLength.get(word.length) ?? { words: [], weights: [] };
    byLength.set(word.length, same);
    same.words.push(word);
    same.weights.push(baseWeight(rank));
  });
  return [...byLength].filter(([, { words }]) => words.length > pause);
}

/**
 * A length for each place, with five letters per word in all. They are drawn with five as their mean, and then
 * lengths at random places are drawn again until the sum is right.
 */
function drawLengths(classes: readonly SameLength[], count: number, random: Random): SameLength[] {
  const weights = weightsWithMean(classes, lettersPerWord);
  const draw = (from: ArrayLike<number>) => classes[drawIndex(from, random)];
  const places = Array.from({ length: count }, () => draw(weights)).filter((place) => place !== undefined);
  let excess = places.reduce((sum, { length }) => sum + length, -count * lettersPerWord);
  for (let tries = 0; excess !== 0 && tries < 100 * places.length; tries++) {
    const at = Math.floor(random() * places.length);
    const { length } = places[at] as SameLength;
    const isNearer = (other: SameLength) => Math.abs(excess + other.length - length) < Math.abs(excess);
    const better = draw(classes.map((each, index) => (isNearer(each) ? (weights[index] as number) : 0)));
    if (better === undefined) continue;
    places[at] = better;
    excess += better.length - length;
  }
  if (excess === 0 && places.length === count) return places;
  throw new Error(`No ${count} words of this list have ${count * lettersPerWord} letters in all.`);
}

/**
 * The weights of the classes times exp(slope · length), with the slope that gives the lengths this mean: of
 * all distributions with that mean, the one that is closest to the weights (Kullback 1959).
 */
function weightsWithMean(classes: readonly SameLength[], mean: number): number[] {
  let weights: number[] = [];
  let [low, high] = [-5, 5];
  for (let step = 0; step < 30; step++) {
    const slope = (low + high) / 2;
    weights = classes.map(({ sum, length }) => sum * Math.exp(slope * (length - mean)));
    const excess = sumOf(classes.map(({ length }, at) => (weights[at] as number) * (length - mean)));
    if (excess > 0) high = slope;
    else low = slope;
  }
  return weights;
}
