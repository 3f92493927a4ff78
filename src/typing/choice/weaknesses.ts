// What a typist should practise more, as biases of a weighting: letters, pairs of letters, and words.
import type { Chapter } from '../statistics/history.ts';
import { asOf, type RecentTally } from '../statistics/key-tally.ts';
import type { Bias } from './weighting.ts';

/* Letters. */

/** Keystrokes at the typist's average credited to every letter, so that one mistake is not a weakness. */
const priorPresses = 10;
/** Share of misses above the typist's average, and seek time relative to it, that make it fully weak. */
const fullMissExcess = 0.06;
const fullSlowness = 0.3;
/** How strongly weak letters and rare ones are preferred; as logarithms. */
const weakBias = 1.5;
const rareBias = 1.1;

/**
 * The letters that a typist should practise more: those missed more often than the typist's average, those
 * found more slowly, and those that came less often. The average is that of the typist, because only
 * differences between letters can change the choice of words. Older rounds weigh less (see `RecentTally`).
 */
export function letterBias(chapters: readonly Chapter[], alphabet: string): Bias {
  const known = recentSums(chapters, 1);
  const sums = new Map([...alphabet].map((letter) => [letter, known.get(letter) ?? noSums]));
  const all = [...sums.values()].reduce(addSums, noSums);
  if (all.presented === 0) return new Map();
  const average = {
    misses: 1 - all.correct / all.presented,
    // Not a number if none was measured; then no letter is slow.
    ms: all.ms / all.count,
  };
  const mean = all.presented / alphabet.length;
  return new Map([...sums].map(([letter, each]) => [letter, biasOfLetter(each, average, mean)]));
}

/** Sums of a letter or pair, weighted by age. */
type Sums = Omit<RecentTally, 'at'>;

function biasOfLetter(own: Sums, average: { misses: number; ms: number }, mean: number): number {
  const misses =
    (own.presented - own.correct + priorPresses * average.misses) / (own.presented + priorPresses);
  const ms = (own.ms + priorPresses * average.ms) / (own.count + priorPresses);
  const missed = clampToUnit((misses - average.misses) / fullMissExcess);
  const slow = average.ms > 0 ? clampToUnit((ms / average.ms - 1) / fullSlowness) : 0;
  const rare = clampToUnit(1 - own.presented / mean);
  const weak = Math.max(missed, slow);
  // A letter that is weak and rare needs both, but not in full: it would crowd out the others.
  return weakBias * weak + rareBias * rare * (1 - weak / 2);
}

const noSums: Sums = { presented: 0, correct: 0, ms: 0, count: 0 };

/** Those of each letter (length 1) or pair of letters (2) over the chapters. */
function recentSums(chapters: readonly Chapter[], length: 1 | 2): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const { keys, rounds } of chapters) {
    for (const [name, recent] of Object.entries(keys.recent)) {
      if (name.length === length) sums.set(name, addSums(sums.get(name) ?? noSums, asOf(recent, rounds)));
    }
  }
  return sums;
}

function addSums(a: Sums, b: Sums): Sums {
  return {
    presented: a.presented + b.presented,
    correct: a.correct + b.correct,
    ms: a.ms + b.ms,
    count: a.count + b.count,
  };
}

/** Clamped to 0 and 1. */
function clampToUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/* Pairs of letters. */

/** Maximum number of pairs in a drill, and occurrences at the mean time that are credited to each pair. */
const maxPairs = 24;
const priorTimes = 5;
/** In milliseconds. If no pair is slow, a rounding error must not count as a gain. */
const minGain = 1e-6;
/** How strongly the slowest pair is preferred, as a logarithm. */
const slowestBias = 2;
/** Exponent below 1, which keeps the others close to the slowest: all slow pairs should come more often. */
const flatness = 1 / 2;

/** A pair of letters that takes longer than the mean of all pairs. */
export interface SlowPair {
  readonly pair: string;
  /** Mean time, ms. */
  readonly ms: number;
  /** Ms above the mean of all pairs; smaller if there are few measurements. */
  readonly excess: number;
  /** Ms above the mean, added up over its recent occurrences. */
  readonly gain: number;
}

/**
 * Prefers the pairs of letters whose practice gains most, each according to its time above the typist's mean.
 * Frequency only decides which pairs are chosen: frequent ones come often anyway.
 */
export function bigramBias(pairs: readonly SlowPair[]): Bias {
  const max = Math.max(...pairs.map(({ excess }) => excess));
  return new Map(pairs.map(({ pair, excess }) => [pair, slowestBias * (excess / max) ** flatness]));
}

/**
 * The pairs whose practice gains most, best first, and the typist's mean time of a pair in ms. Older rounds
 * weigh less (see `RecentTally`).
 *
 * @param isDrillable whether there are words to practise a pair with. Default: every pair
 */
export function pairsToGain(
  chapters: readonly Chapter[],
  isDrillable: (pair: string) => boolean = () => true,
) {
  const sums = recentSums(chapters, 2);
  const all = [...sums.values()].reduce(addSums, noSums);
  const mean = all.ms / all.count;
  const pairs = [...sums]
    .map(([pair, { count, ms }]): SlowPair => {
      const excess = (ms + priorTimes * mean) / (count + priorTimes) - mean;
      return { pair, ms: ms / count, excess, gain: excess * count };
    })
    .filter(({ gain }) => gain > minGain)
    .sort((a, b) => b.gain - a.gain || (a.pair < b.pair ? -1 : 1));
  return { pairs: pairs.filter(({ pair }) => isDrillable(pair)).slice(0, maxPairs), mean };
}

/* Words. */

/** How strongly a word with one fresh mistake is preferred, and the maximum with many; as logarithms. */
const firstMistake = 3.5;
const maxTrouble = 6;

/** Prefers the words that went wrong before; each correct repetition since then halves the effect. */
export function wordBias(chapters: readonly Chapter[], isWord: (text: string) => boolean): Bias {
  const troubles = new Map<string, number>();
  for (const { keys } of chapters) {
    for (const [word, trouble] of Object.entries(keys.troubles)) {
      if (isWord(word)) troubles.set(word, (troubles.get(word) ?? 0) + trouble);
    }
  }
  return new Map(
    [...troubles].map(([word, trouble]) => [word, Math.min(maxTrouble, firstMistake + Math.log(trouble))]),
  );
}

/* What can be practised at all. */

/** A part of fewer words cannot be drilled: the same words would come again and again. */
const minWords = 15;

/** The letters and pairs of letters that enough words have. Slow, so prepared once for a language. */
export function drillableParts(words: readonly string[]): ReadonlySet<string> {
  const holders = new Map<string, number>();
  for (const word of new Set(words)) {
    for (const part of letterGroups(word)) holders.set(part, (holders.get(part) ?? 0) + 1);
  }
  return new Set([...holders].filter(([, count]) => count >= minWords).map(([part]) => part));
}

function letterGroups(word: string): Set<string> {
  const parts = new Set<string>();
  for (let at = 0; at < word.length; at++) {
    parts.add(word.charAt(at));
    if (at > 0) parts.add(word.slice(at - 1, at + 1));
  }
  return parts;
}
