import {
  createRandom,
  drawFresh,
  drawIndex,
  hasFresh,
  type Random,
  sumOf,
  weightedWords,
} from './random-draw.ts';
import { type SameLength, type Share, type Targets, targetShares } from './target-shares.ts';
import { type Bias, createWeighting } from './weighting.ts';

/** Words drawn together, and their average number of letters. */
const wordsPerDraw = 30;
const lettersPerWord = 5;
/** A word does not come again within this many words. */
const pause = 14;

export interface WordChoice {
  /** The same seed, list and other options give the same words. */
  readonly seed: number;
  /** Default: 30. */
  readonly count?: number;
  /** Preferences among the words. Default: none; frequent words are a little more likely. */
  readonly bias?: Bias;
  /** What most of the words must have. Default: nothing in particular. */
  readonly targets?: Targets;
}

/** Chooses `count` words with five letters per word on average, none of them again within the next 14. */
export type WordChooser = (choice: WordChoice) => string[];

/** Everything that drawing needs. */
interface Plan {
  /** Each place is in one of them. */
  readonly shares: readonly PlannedShare[];
  /** The words for a place all of whose words are recent. */
  readonly others: readonly SameLength[];
}

interface PlannedShare extends Share {
  /** See `chancesOf`. */
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
 * list. With targets, places differ in their words, and each share has five letters on average by itself.
 *
 * @throws if the list allows no such choice
 */
export function createWordChooser(list: readonly string[]): WordChooser {
  const byLength = wordsByLength(list);
  const classes = byLength.map(({ words, weights }) => sameLength(words, weights));
  const plain = planOf([oneShare(classes)], classes);
  if ((plain.shares[0]?.chances[wordsPerDraw]?.[wordsPerDraw * lettersPerWord] ?? 0) === 0) {
    throw new Error(
      `No ${wordsPerDraw} words of this list have ${wordsPerDraw * lettersPerWord} letters in all.`,
    );
  }
  const weigh = (weightsOf: ReturnType<typeof createWeighting>) =>
    byLength.map(({ words, weights }) => sameLength(words, weightsOf(words, weights)));
  return ({ seed, bias, targets, count = wordsPerDraw }) => {
    const random = createRandom(seed);
    const isEven = bias === undefined || bias.size === 0;
    const weighted = isEven ? classes : weigh(createWeighting(bias));
    const untargeted = isEven ? plain : planOf([oneShare(weighted)], classes);
    const words: string[] = [];
    while (words.length < count) {
      const plan =
        targets === undefined
          ? untargeted
          : planOf(targetShares(targets, wordsPerDraw, { weighted, plain: classes }, random), classes);
      draw(plan, random, words, Math.min(wordsPerDraw, count - words.length));
    }
    return words;
  };
}

function oneShare(classes: readonly SameLength[]): Share {
  return { places: [...new Array(wordsPerDraw).keys()], slots: new Array(wordsPerDraw).fill(classes) };
}

/** Prefers frequent words a little: the first of 6,000 comes about eight times as often as the last. */
function baseWeight(rank: number): number {
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

function planOf(shares: readonly Share[], others: Plan['others']): Plan {
  return { shares: shares.map((share) => ({ ...share, chances: chancesOf(share.slots) })), others };
}

/** For each number of last places, from 0 on: the chances that they have 0 to 150 letters. */
function chancesOf(slots: Share['slots']): Float64Array[] {
  const letters = wordsPerDraw * lettersPerWord;
  const chances = [new Float64Array(letters + 1)];
  (chances[0] as Float64Array)[0] = 1;
  for (let words = 1; words <= slots.length; words++) {
    const row = new Float64Array(letters + 1);
    const slot = slots[slots.length - words] as readonly SameLength[];
    const all = sumOf(slot.map(({ sum }) => sum));
    for (const { length, sum } of slot) {
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

/** Appends the words of the last `count` places to `words`. */
function draw({ shares, others }: Plan, random: Random, words: string[], count: number): void {
  const first = wordsPerDraw - count;
  const parts = shares.map(({ places, slots, chances }) => {
    const left = places.filter((place) => place >= first).length;
    const letters = lettersOf(chances[left] as Float64Array, left * lettersPerWord);
    return { places, slots, chances, left, letters };
  });
  for (let place = first; place < wordsPerDraw; place++) {
    const part = parts.find(({ places }) => places.includes(place)) as (typeof parts)[number];
    part.left -= 1;
    const { slots, left, letters } = part;
    const slot = slots[slots.length - 1 - left] as readonly SameLength[];
    const rest = part.chances[left] as Float64Array;
    const recent = words.slice(-pause);
    const from =
      drawClass(slot, recent, random, (length) => rest[letters - length]) ??
      // The targets of a place take precedence over the number of letters.
      drawClass(slot, recent, random, () => 1) ??
      (drawClass(others, recent, random, (length) => rest[letters - length] || 1e-9) as SameLength);
    words.push(drawFresh(from, recent, random));
    part.letters -= from.length;
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
function lettersOf(chances: Float64Array, wanted: number): number {
  if ((chances[wanted] as number) > 0) return wanted;
  const possible = Array.from(chances.keys()).filter((letters) => (chances[letters] as number) > 0);
  return possible.reduce(
    (nearest, letters) => (Math.abs(letters - wanted) < Math.abs(nearest - wanted) ? letters : nearest),
    possible[0] ?? wanted,
  );
}
