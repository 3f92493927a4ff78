import { createRandom, type Random } from './random-draw.ts';

const minSentence = 4;
const maxSentence = 12;

/** Shares of marks after a word inside a sentence, and at its end. The rest is no mark, or a full stop. */
const commaShare = 0.13;
const semicolonShare = 0.015;
const colonShare = 0.015;
const questionShare = 0.12;
const exclamationShare = 0.08;
/** Shares of the words that could be possessives, and of all words. */
const apostropheShare = 0.15;
const quoteShare = 0.02;

/**
 * Sentences of 4 to 12 words, with a capital at the beginning and a mark at the end. No letter is added
 * or lost: an apostrophe only goes into a word that is also a word without its final `s`.
 *
 * @param language decides how capitals are made; @param isWord whether a text is a word of the language
 */
export function sentencesFrom(
  words: readonly string[],
  seed: number,
  language: string,
  isWord: (text: string) => boolean,
): string[] {
  const random = createRandom(seed);
  const sentences: string[] = [];
  for (let at = 0; at < words.length; ) {
    const length = drawLength(words.length - at, random);
    sentences.push(...sentenceOf(words.slice(at, at + length), { random, language, isWord }));
    at += length;
  }
  return sentences;
}

/** Leaves either no words or enough for a sentence; fewer words than that still make one sentence. */
function drawLength(left: number, random: Random): number {
  const fits = (length: number) => length === left || left - length >= minSentence;
  const lengths = Array.from({ length: maxSentence - minSentence + 1 }, (_, at) => at + minSentence);
  const possible = lengths.filter((length) => length <= left && fits(length));
  return possible[Math.floor(random() * possible.length)] ?? left;
}

interface Style {
  readonly random: Random;
  readonly language: string;
  readonly isWord: (text: string) => boolean;
}

function sentenceOf(words: readonly string[], style: Style): string[] {
  return words.map((plain, at) => {
    const word = possessive(at === 0 ? capitalize(plain, style.language) : plain, plain, style);
    const quoted = style.random() < quoteShare ? `"${word}"` : word;
    return quoted + (at < words.length - 1 ? drawInnerMark(style.random) : drawEndMark(style.random));
  });
}

/** Only where the capital is a single character; that of `ß` is not. */
function capitalize(word: string, language: string): string {
  const capital = word.charAt(0).toLocaleUpperCase(language);
  return capital.length === 1 ? capital + word.slice(1) : word;
}

function possessive(shown: string, plain: string, { random, language, isWord }: Style): string {
  const isPossible =
    language === 'en' && plain.length > 3 && plain.endsWith('s') && isWord(plain.slice(0, -1));
  return isPossible && random() < apostropheShare ? `${shown.slice(0, -1)}'s` : shown;
}

function drawInnerMark(random: Random): string {
  const point = random();
  if (point < commaShare) return ',';
  if (point < commaShare + semicolonShare) return ';';
  return point < commaShare + semicolonShare + colonShare ? ':' : '';
}

function drawEndMark(random: Random): string {
  const point = random();
  if (point < questionShare) return '?';
  return point < questionShare + exclamationShare ? '!' : '.';
}
