import type { Chapter } from '../statistics/history.ts';
import { asOf, type RecentTally } from '../statistics/recent-tally.ts';
import type { Bias } from './biased-words.ts';

/** Keystrokes at the typist's average that every letter is credited with, so that a single mistake is not a weakness. */
const prior = 10;
/** Share of misses above the typist's average, and seek time relative to it, at which a letter counts as fully weak. */
const fullMissExcess = 0.06;
const fullSlowness = 0.3;
/** How strongly weak letters, and letters that came seldom, are preferred; as logarithms. */
const weakBias = 1.5;
const rareBias = 1.1;

/**
 * The letters that a typist should practise more: those missed more often than the typist's average, those found more slowly,
 * and those that came less often than the average letter. All three are compared with the typist's own average, because only
 * differences between letters can change the choice of words. Older rounds weigh less (see `RecentTally`).
 */
export function toLetterBias(chapters: readonly Chapter[], alphabet: string): Bias {
  const sums = new Map([...alphabet].map((letter) => [letter, sumOfLetter(chapters, letter)] as const));
  const all = [...sums.values()].reduce(plus, noSums);
  if (all.presented === 0) return new Map();
  const average = {
    misses: 1 - all.correct / all.presented,
    ms: all.count > 0 ? all.ms / all.count : 0,
  };
  const mean = all.presented / alphabet.length;
  return new Map([...sums].map(([letter, own]) => [letter, toBias(own, average, mean)]));
}

/** Sums of a letter, weighted by age. */
type Sums = Omit<RecentTally, 'at'>;

function toBias(own: Sums, average: { misses: number; ms: number }, mean: number): number {
  const misses = (own.presented - own.correct + prior * average.misses) / (own.presented + prior);
  const ms = (own.ms + prior * average.ms) / (own.count + prior);
  const missed = share((misses - average.misses) / fullMissExcess);
  const slow = average.ms > 0 ? share((ms / average.ms - 1) / fullSlowness) : 0;
  const rare = share(1 - own.presented / mean);
  const weak = Math.max(missed, slow);
  // A letter that is weak and rare needs both, but not in full: it would crowd out the others.
  return weakBias * weak + rareBias * rare * (1 - weak / 2);
}

const noSums: Sums = { presented: 0, correct: 0, ms: 0, count: 0 };

function sumOfLetter(chapters: readonly Chapter[], letter: string): Sums {
  return chapters.reduce(
    (sum, { keys, rounds }) => plus(sum, keys.recent[letter] ? asOf(keys.recent[letter], rounds) : noSums),
    noSums,
  );
}

function plus(a: Sums, b: Sums): Sums {
  return {
    presented: a.presented + b.presented,
    correct: a.correct + b.correct,
    ms: a.ms + b.ms,
    count: a.count + b.count,
  };
}

/** Clamped to 0 and 1. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
