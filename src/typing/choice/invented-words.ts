import type { Random } from './random.ts';
import { drawIndex } from './weighted-draw.ts';

const shortest = 3;
const lengths = 4;
const triesPerWord = 50;

/**
 * Pronounceable words of these letters: each letter follows the one before as often as in the language. All words contain the
 * letter `inside` after their first position, because only there is its time measured, and some letters only begin words.
 */
export function inventWords(
  words: readonly string[],
  letters: readonly string[],
  inside: string,
  count: number,
  random: Random,
): string[] {
  if (count <= 0) return [];
  const followers = followersOf(words);
  const weights = new Map(
    letters.map((letter) => [letter, letters.map((next) => followers.get(letter + next) ?? 0)]),
  );
  const follow = (letter: string) => letters[drawIndex(weights.get(letter) as number[], random)];
  const invented = new Set<string>();
  for (let attempt = 0; invented.size < count && attempt < triesPerWord * count; attempt++) {
    const length = shortest + Math.floor(random() * lengths);
    let word = draw(letters, random);
    while (word.length < length) word += follow(word.charAt(word.length - 1)) ?? draw(letters, random);
    invented.add(word.includes(inside, 1) ? word : withInside(word, inside, random));
  }
  return [...invented];
}

/** Cache: the list of a language is always the same object, and long. */
const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/** How often each pair of letters occurs. */
function followersOf(words: readonly string[]): ReadonlyMap<string, number> {
  const followers = known.get(words) ?? countPairs(words);
  known.set(words, followers);
  return followers;
}

function countPairs(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    for (let at = 1; at < word.length; at++) {
      const pair = word.slice(at - 1, at + 1);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  return counts;
}

/** The word with this letter in place of another one, except the first. */
function withInside(word: string, letter: string, random: Random): string {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return word.slice(0, at) + letter + word.slice(at + 1);
}

function draw(from: readonly string[], random: Random): string {
  return from[Math.floor(random() * from.length)] as string;
}
