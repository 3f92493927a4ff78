import type { Chapter } from '../statistics/history.ts';
import { meanTime } from '../statistics/key-tally.ts';

const firstLetters = 6;
/** 35 WPM, the usual speed at which a letter counts as learned, as the time of a key in milliseconds. */
export const targetMs = 60_000 / (35 * 5);

/**
 * The open letters: the six most frequent ones of the language, and another one each time all of them have
 * reached the target time, as in keybr. A letter that has once reached it counts forever: none is locked
 * again.
 *
 * @param letters of the language, the most frequent first; @param chapters rounds in guided mode
 */
export function openLetters(
  letters: readonly string[],
  chapters: readonly Chapter[],
  target = targetMs,
): string[] {
  let open = firstLetters;
  const isLearned = (letter: string) =>
    chapters.some(({ keys }) => (keys.best[letter] ?? Number.POSITIVE_INFINITY) <= target);
  while (open < letters.length && letters.slice(0, open).every(isLearned)) open++;
  return letters.slice(0, open);
}

/** The open letter furthest from the target; among equals, the newest. */
export function leastConfident(
  open: readonly string[],
  chapters: readonly Chapter[],
  target = targetMs,
): string {
  // 0 until there are enough measurements.
  const confidences = open.map(
    (letter) => target / (letterTimeOf(letter, chapters) ?? Number.POSITIVE_INFINITY),
  );
  return open[confidences.lastIndexOf(Math.min(...confidences))] as string;
}

/** Mean time of a letter in ms; null until there are enough measurements. */
export function letterTimeOf(letter: string, chapters: readonly Chapter[]): number | null {
  let [ms, count] = [0, 0];
  for (const { keys } of chapters) {
    ms += keys.recent[letter]?.ms ?? 0;
    count += keys.recent[letter]?.count ?? 0;
  }
  return meanTime({ ms, count });
}

/** Caches by list: that of a language is always the same object, and long. */
const known = new WeakMap<readonly string[], string[]>();

/** The letters of a list of words, most frequent first; rarer words weigh less. */
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
