import { sumOf } from './weighted-draw.ts';

/** Lower bounds: how much more often than by chance the letter comes, and the share of words that contain it. */
const minGain = 2.25;
const minHolders = 0.6;
/** Bisection steps for the tilt: enough for six digits. */
const steps = 24;
const maxTilt = 8;

/**
 * Weights that make one letter more frequent with little effect on the others: exp(tilt · occurrences of the letter), with the
 * smallest tilt that reaches the first bound; then words that contain the letter are raised together to the second.
 */
export function focusWeights(words: readonly string[], letter: string): number[] {
  const counts = words.map((word) => countOf(word, letter));
  const groups = groupByCount(words, counts);
  const aim = minGain * shareOf(groups, 0);
  let [low, high] = [0, maxTilt];
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2;
    if (shareOf(groups, middle) < aim) low = middle;
    else high = middle;
  }
  const powers = new Map(groups.map(({ count }) => [count, Math.exp(high * count)]));
  return withHolders(
    counts.map((count) => powers.get(count) as number),
    counts,
  );
}

function countOf(word: string, letter: string): number {
  let count = 0;
  for (let at = word.indexOf(letter); at >= 0; at = word.indexOf(letter, at + 1)) count++;
  return count;
}

/** Words with the same number of occurrences. */
interface Group {
  readonly count: number;
  readonly words: number;
  readonly letters: number;
}

function groupByCount(words: readonly string[], counts: readonly number[]): Group[] {
  const groups: { count: number; words: number; letters: number }[] = [];
  for (const [at, word] of words.entries()) {
    const count = counts[at] as number;
    groups[count] ??= { count, words: 0, letters: 0 };
    const group = groups[count] as (typeof groups)[number];
    group.words++;
    group.letters += word.length;
  }
  return groups.filter((group) => group !== undefined);
}

/** The letter's share of all letters, 0 to 1, at a tilt. */
function shareOf(groups: readonly Group[], tilt: number): number {
  const own = sumOf(groups.map(({ count, words }) => count * words * Math.exp(tilt * count)));
  const all = sumOf(groups.map(({ count, letters }) => letters * Math.exp(tilt * count)));
  return all > 0 ? own / all : 0;
}

function withHolders(weights: readonly number[], counts: readonly number[]): number[] {
  const holders = sumOf(weights.filter((_, at) => counts[at] !== 0));
  const others = sumOf(weights) - holders;
  const factor = Math.max(1, (minHolders * others) / ((1 - minHolders) * holders));
  return holders === 0
    ? [...weights]
    : weights.map((weight, at) => (counts[at] === 0 ? weight : factor * weight));
}
