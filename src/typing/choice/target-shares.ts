import { type Random, type WeightedWords, weightedWords } from './random-draw.ts';
import { holderTest } from './weighting.ts';

/** Words of one length, each with a weight. */
export interface SameLength extends WeightedWords {
  readonly length: number;
}

/** What most of the drawn words must have: letters, pairs of letters, or longer texts, which are words. */
export interface Targets {
  readonly parts: readonly string[];
  /** Minimum number of words with each part, as far as there are such words, and places. */
  readonly minTimes: number;
  /** Share of words drawn without targets and preferences, 0 to 1, so that no letter disappears. */
  readonly evenShare: number;
}

/** A word is drawn at most twice in one draw, because it must not repeat within half of it. */
const maxTimes = 2;

/** Places of a draw whose words together have five letters on average. */
export interface Share {
  /** Which places, in ascending order. */
  readonly places: readonly number[];
  /** The words that may be drawn for each of them, by length. */
  readonly slots: readonly (readonly SameLength[])[];
}

/**
 * Divides `count` places at random into two shares: words with targets (`minTimes` places for each part, the
 * rest for any part, by weight), and even ones. Each share has its own average length; otherwise long words
 * with targets would leave room for short even ones only, and the letters of all others would disappear.
 */
export function targetShares(
  { parts, minTimes, evenShare }: Targets,
  count: number,
  { weighted, plain }: Record<'weighted' | 'plain', readonly SameLength[]>,
  random: Random,
): Share[] {
  const any = withOneOf(weighted, parts);
  const targeted = Math.min(Math.floor(count * (1 - evenShare)), maxTimes * countWords(any));
  const perPart = parts
    .map((part) => withOneOf(any, [part]))
    .filter((words) => words.length > 0)
    .flatMap((words) => new Array<readonly SameLength[]>(minTimes).fill(words))
    .slice(0, targeted);
  const slots = [...perPart, ...new Array<readonly SameLength[]>(targeted - perPart.length).fill(any)];
  const places = shuffle([...new Array<number>(count).keys()], random);
  return [
    { places: ascending(places.slice(0, targeted)), slots: shuffle(slots, random) },
    {
      places: ascending(places.slice(targeted)),
      slots: new Array<readonly SameLength[]>(count - targeted).fill(plain),
    },
  ];
}

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((one, other) => one - other);
}

/** The words that have one of the parts, with their weights. */
function withOneOf(classes: readonly SameLength[], parts: readonly string[]): SameLength[] {
  const isHolder = holderTest(parts);
  return classes
    .map(({ words, sums, length }) => {
      const weights: number[] = [];
      const holders = words.filter((word, at) => {
        const holds = isHolder(word);
        if (holds) weights.push((sums[at] as number) - (sums[at - 1] ?? 0));
        return holds;
      });
      return { ...weightedWords(holders, weights), length };
    })
    .filter(({ words }) => words.length > 0);
}

function countWords(classes: readonly SameLength[]): number {
  return classes.reduce((count, { words }) => count + words.length, 0);
}

/** In random order, every order as likely as any other (Fisher & Yates). */
function shuffle<T>(all: T[], random: Random): T[] {
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}
