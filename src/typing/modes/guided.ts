import { createRandom, type Random } from '../choice/random.ts';
import { toWord } from '../rules/word.ts';
import type { Chapter } from '../statistics/history.ts';
import type { Material, RoundText } from './material.ts';
import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';

const wordCount = 30;
const firstLetters = 6;
/** 35 WPM: the time of a key at which a letter counts as learned, in milliseconds. */
const targetMs = 60_000 / (35 * 5);
/** Times that must be known of a letter before it can be learned. */
const enoughTimes = 10;
/** Share of words that hold the newest letter. */
const newestShare = 0.6;
/** Fewer words than this of the open letters are joined by made-up ones. */
const enoughWords = 60;
const longestWord = 10;

/**
 * The letters that are open: the six most frequent ones of the language, and the next one whenever every open letter has
 * reached the target time (its confidence, target time / own time, is at least 1), as in keybr.
 */
function openLetters(letters: readonly string[], chapters: readonly Chapter[]): string[] {
  let open = Math.min(firstLetters, letters.length);
  while (open < letters.length && letters.slice(0, open).every((letter) => isLearned(letter, chapters)))
    open++;
  return letters.slice(0, open);
}

function isLearned(letter: string, chapters: readonly Chapter[]): boolean {
  let [ms, count] = [0, 0];
  for (const { keys } of chapters) {
    ms += keys.recent[letter]?.ms ?? 0;
    count += keys.recent[letter]?.count ?? 0;
  }
  return count >= enoughTimes && ms / count <= targetMs;
}

/** The list of words of a language is always the same one, and long. */
const known = new WeakMap<readonly string[], string[]>();

/** The letters of a list of words, the most frequent first; a word weighs the less the rarer it is. */
function lettersByFrequency(words: readonly string[], alphabet: string): string[] {
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

/** Words of the open letters, most of them with the newest one; made-up ones where the language has too few. */
export function toGuidedText(
  _: Extract<Mode, { type: 'guided' }>,
  { seed, words, language, chapters }: Material,
  __: Practice,
): RoundText {
  const random = createRandom(seed);
  const own = chapters.filter(({ mode }) => mode === 'guided');
  const open = openLetters(lettersByFrequency(words, language.alphabet), own);
  const ofOpenLetters = new RegExp(`^[${open.join('')}]{1,${longestWord}}$`);
  const possible = words.filter((word) => ofOpenLetters.test(word));
  const pool = [...possible, ...inventWords(words, open, enoughWords - possible.length, random)];
  const newest = pool.filter((word) => word.includes(open.at(-1) as string));
  const drawn: string[] = [];
  while (drawn.length < wordCount) {
    const from = newest.length > 14 && random() < newestShare ? newest : pool;
    const fresh = from.filter((word) => !drawn.slice(-14).includes(word));
    drawn.push(fresh[Math.floor(random() * fresh.length)] as string);
  }
  return { words: drawn.map(toWord) };
}

/** Pronounceable words: each letter follows the one before as often as it does in the language. */
function inventWords(
  words: readonly string[],
  open: readonly string[],
  count: number,
  random: Random,
): string[] {
  if (count <= 0) return [];
  const followers = new Map<string, string[]>();
  for (const word of words) {
    for (let at = 0; at < word.length - 1; at++) {
      const [letter, next] = [word[at] as string, word[at + 1] as string];
      if (!open.includes(letter) || !open.includes(next)) continue;
      const known = followers.get(letter);
      if (known === undefined) followers.set(letter, [next]);
      else known.push(next);
    }
  }
  const invented = new Set<string>();
  for (let attempt = 0; invented.size < count && attempt < 50 * count; attempt++) {
    const length = 3 + Math.floor(random() * 4);
    let word = open[Math.floor(random() * open.length)] as string;
    while (word.length < length) {
      const next = followers.get(word.at(-1) as string) ?? open;
      word += next[Math.floor(random() * next.length)];
    }
    invented.add(word);
  }
  return [...invented];
}
