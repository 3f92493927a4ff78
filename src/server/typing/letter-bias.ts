import type { History } from './history.ts';
import { letterCount } from './keyboard.ts';

/** Keystrokes at the own average that every letter is credited with, so that one slip is no weakness yet. */
const prior = 10;
/** Share of misses above the typist's average, and seek time relative to it, at which a letter counts as fully weak. */
const fullMissExcess = 0.06;
const fullSlowness = 0.3;
/** How strongly weak letters and letters seldom met are preferred. */
const weakBias = 1.5;
const rareBias = 1.1;

/** For every letter, how much more a word is preferred for each time it holds the letter (as a logarithm). */
export type LetterBias = readonly number[];

/**
 * What the history tells of the letters a typist should meet more often: those missed more often than the typist's
 * average, those found more slowly than average, and those met less often than the average letter. All three are told
 * against the typist's own average: only differences between letters can change which words come.
 */
export function toLetterBias({ keys }: History): LetterBias {
  const presented = sumOf(keys.presented);
  const missRate = presented > 0 ? 1 - sumOf(keys.correct) / presented : 0;
  const seeks = sumOf(keys.seekCount);
  const seekMs = seeks > 0 ? sumOf(keys.seekMs) / seeks : 0;

  return Array.from({ length: letterCount }, (_, letter) => {
    if (presented === 0) return 0;
    const [met = 0, right = 0] = [keys.presented[letter], keys.correct[letter]];
    const [ms = 0, count = 0] = [keys.seekMs[letter], keys.seekCount[letter]];
    const ownMissRate = (met - right + prior * missRate) / (met + prior);
    const ownMs = (ms + prior * seekMs) / (count + prior);
    const missed = share((ownMissRate - missRate) / fullMissExcess);
    const slow = seekMs > 0 ? share((ownMs / seekMs - 1) / fullSlowness) : 0;
    const rare = share(1 - met / (presented / letterCount));
    const weak = Math.max(missed, slow);
    // A weak letter that is rare needs both, but not both in full: it would crowd out the others.
    return weakBias * weak + rareBias * rare * (1 - weak / 2);
  });
}

/** Held between 0 and 1. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
