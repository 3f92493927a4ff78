import { languageOf } from '../../src/server/stores/languages.ts';
import type { Library } from '../../src/server/typing/library.ts';
import { deriveSeed } from '../../src/typing/choice/random-draw.ts';
import type { Mode } from '../../src/typing/modes/mode.ts';
import { defaultPractice } from '../../src/typing/modes/practice.ts';
import { roundText } from '../../src/typing/modes/round-text.ts';
import { wordText } from '../../src/typing/rules/word.ts';
import { newHistory } from '../../src/typing/statistics/history.ts';
import { newTypist, type SimulatedTypist, startCourse } from './simulated-typist.ts';

/** What simulated typists of a language are weak at: a frequent, a middling and a rarer thing of each kind. */
export interface Weaknesses {
  readonly letters: readonly string[];
  readonly pairs: readonly string[];
  /** Words of at least four letters. */
  readonly words: readonly string[];
}

/** Taken by how many words hold them. */
export function weaknessesOf(library: Library, language: string): Weaknesses {
  const words = library.wordsOf(language);
  const letters = byFrequency([...languageOf(language).alphabet], words);
  const pairs = byFrequency([...new Set(words.flatMap(pairsOf))], words);
  const long = words.filter((word) => word.length >= 4);
  return {
    letters: [2, 10, 18].map((rank) => letters[rank] as string),
    pairs: [5, 15, 30].map((rank) => pairs[rank] as string),
    words: [10, 150, 600].map((rank) => long[rank] as string),
  };
}

/** How a mode answers to a weakness: what the mode is, who the typist is, and the parts of words that are hard for them. */
export interface Answer {
  readonly mode: Mode;
  readonly typist: SimulatedTypist;
  readonly parts: readonly string[];
}

/** Slow letters are 1.7 times as slow as the others, slow pairs 2.3 times; every second letter of a hard word goes wrong. */
export function answersOf({ letters, pairs, words }: Weaknesses): Record<string, Answer> {
  const slowLetters = newTypist({ timeOf: (letter) => (letters.includes(letter) ? 300 : 180) });
  const slowPairs = newTypist({
    timeOf: (letter, before = '') => (pairs.includes(before + letter) ? 420 : 180),
  });
  const hardWords = newTypist({ missesOf: (_, word) => (words.includes(word) ? 0.5 : 0.005) });
  return {
    words: { mode: { type: 'words', count: 30 }, typist: slowLetters, parts: letters },
    'drill letters': { mode: { type: 'drill', on: 'letters' }, typist: slowLetters, parts: letters },
    'drill bigrams': { mode: { type: 'drill', on: 'bigrams' }, typist: slowPairs, parts: pairs },
    'drill words': { mode: { type: 'drill', on: 'words' }, typist: hardWords, parts: words },
  };
}

/** Rounds of words before: what a mode knows of a typist it knows from them. */
const known = 25;

/** The words of rounds in a mode, after some that showed the weakness; a hard word is one that the typist has met. */
export function playAnswer(
  library: Library,
  language: string,
  { mode, typist, parts }: Answer,
  rounds: number,
  seed: number,
): string[][] {
  const course = startCourse(library, typist, seed);
  if (mode.type === 'drill' && mode.on === 'words') {
    course.play({ language, mode: { type: 'text', text: parts.join(' ') } }, 3);
  }
  course.play({ language }, known);
  return course.play({ language, mode }, rounds);
}

/** What chance brings: the words of rounds for somebody of whom nothing is known. */
export function drawChance(library: Library, language: string, rounds: number, seed: number): string[][] {
  const practice = { ...defaultPractice, language };
  return Array.from({ length: rounds }, (_, at) => {
    const material = library.materialOf(practice, deriveSeed(seed, at), newHistory());
    return roundText(practice, material).words.map(wordText);
  });
}

function pairsOf(word: string): string[] {
  return [...word].slice(1).map((letter, at) => (word[at] as string) + letter);
}

/** The parts that most words hold come first. */
function byFrequency(parts: readonly string[], words: readonly string[]): string[] {
  const counts = new Map(parts.map((part) => [part, words.filter((word) => word.includes(part)).length]));
  return parts.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number));
}
