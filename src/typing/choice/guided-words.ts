import { drawIndex, type Random, sumOf } from './random-draw.ts';

/** Lower bounds: how much more often than by chance the letter comes, and the share of words that have it. */
const minGain = 2.25;
const minHolders = 0.6;
/** Bisection steps for the tilt: enough for six digits. */
const steps = 24;
const maxTilt = 8;

/**
 * Weights that make one letter more frequent with little effect on the others: exp(tilt · occurrences of the
 * letter), with the smallest tilt that reaches the first bound; words with it then gain up to the second.
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

const shortest = 3;
const lengths = 4;
const triesPerWord = 50;

/** How much more often the letter to practise follows another one than in the language. */
const insideGain = 1.6;

/**
 * Words of these letters that can be pronounced: each begins and ends as words of the language do, and no
 * three letters follow each other that never do so there; if that allows too few words, no two in the others.
 * All have the letter `inside` after their first position, because only there is its time measured, and some
 * letters only begin words.
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
  const drawLength = () => shortest + Math.floor(random() * lengths);
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

/** Cache: the list of a language is always the same object, and long. */
const known = new WeakMap<readonly string[], ReadonlySet<string>>();

/** What letters follow each other: two, and three with the edges of words. */
function runsOf(words: readonly string[]): ReadonlySet<string> {
  const before = known.get(words);
  if (before !== undefined) return before;
  const runs = new Set<string>();
  for (const word of words) {
    const whole = edge + word + edge;
    for (let at = 2; at <= whole.length; at++) {
      runs.add(whole.slice(at - 2, at)).add(whole.slice(Math.max(0, at - 3), at));
    }
  }
  known.set(words, runs);
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
