import type { Chapter } from '../statistics/history.ts';

const firstLetters = 6;
/** 35 WPM: the time of a key at which a letter counts as learned, in milliseconds. */
export const targetMs = 60_000 / (35 * 5);
/** Times that must be known of a letter before it can be learned. */
const enoughTimes = 10;

/**
 * The letters that are open: the six most frequent ones of the language, and the next one whenever every open letter has
 * reached the target time (its confidence, target time / own time, is at least 1), as in keybr.
 *
 * @param letters of the language, the most frequent first; @param chapters rounds in guided mode
 */
export function openLetters(letters: readonly string[], chapters: readonly Chapter[]): string[] {
  let open = Math.min(firstLetters, letters.length);
  const isLearned = (letter: string) => confidenceOf(letter, chapters) >= 1;
  while (open < letters.length && letters.slice(0, open).every(isLearned)) open++;
  return letters.slice(0, open);
}

/** The open letter that is furthest from the target, the newest one among equals. */
export function leastConfident(open: readonly string[], chapters: readonly Chapter[]): string {
  const confidences = open.map((letter) => confidenceOf(letter, chapters));
  return open[confidences.lastIndexOf(Math.min(...confidences))] as string;
}

/** Target time / own time; 0 before enough times are known. */
function confidenceOf(letter: string, chapters: readonly Chapter[]): number {
  const ms = ownTimeOf(letter, chapters);
  return ms === null ? 0 : targetMs / ms;
}

/** Mean time of a letter, ms; null before enough times are known. */
export function ownTimeOf(letter: string, chapters: readonly Chapter[]): number | null {
  let [ms, count] = [0, 0];
  for (const { keys } of chapters) {
    ms += keys.recent[letter]?.ms ?? 0;
    count += keys.recent[letter]?.count ?? 0;
  }
  return count >= enoughTimes ? ms / count : null;
}

/** The list of words of a language is always the same one, and long. */
const known = new WeakMap<readonly string[], string[]>();

/** The letters of a list of words, the most frequent first; a word weighs the less the rarer it is. */
export function lettersByFrequency(words: readonly string[], alphabet: string): string[] {
  const letters = known.get(words) ?? countLetters(words, alphabet);
  known.set(words, letters);
  return letters;
}

function countLetters(words: readonly string[], alphabet: string): string[] {
  const weights = new Map([...alphabet].map((letter) => [letter, 0]));
  for (const [rank, word] of words.entries()) {
    for (const letter of word) {
      const weight = weights.get(letter);
      if (weight !== undefined) weights.set(letter, weight + 1 / (rank + 10));
    }
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([letter]) => letter);
}
