import {
  createRandom,
  deriveSeed,
  drawApart,
  pause,
  type Random,
  weightedWords,
} from '../choice/random-draw.ts';
import { sentencesFrom } from '../choice/sentences.ts';
import { letterBias } from '../choice/weaknesses.ts';
import { type Bias, createWeighting } from '../choice/weighting.ts';
import { normalForm, wordsOf } from '../rules/word.ts';
import type { ModeOf } from './mode.ts';
import type { Material, Practice, RoundText } from './practice.ts';

/** Enough words for 300 WPM, which is faster than anybody types. */
export const wordsPerSecond = 300 / 60;
/** Share of the words that numbers replace, and the maximum number of their digits. */
const numberShare = 1 / 5;
const maxDigits = 4;

/** Words of the language, or of the player's list, preferring what this player should practise. */
export function wordsText(
  mode: ModeOf<'words'> | ModeOf<'time'>,
  material: Material,
  practice: Practice,
): RoundText {
  const { seed, choose, chapters, language } = material;
  const bias = letterBias(chapters, language.alphabet);
  if (mode.type === 'time') {
    const count = Math.ceil(mode.seconds * wordsPerSecond);
    return shownText(choose({ seed, count, bias }), material, practice);
  }
  const { count, list, numbers = false } = mode;
  const words = list === undefined ? choose({ seed, count, bias }) : drawFromList(list, count, bias, seed);
  const text = shownText(words, material, practice);
  return numbers ? withNumbers(text, createRandom(deriveSeed(seed, count))) : text;
}

/** The words, as sentences if punctuation is practised. */
export function shownText(
  words: readonly string[],
  { seed, language, isWord }: Pick<Material, 'seed' | 'language' | 'isWord'>,
  { punctuation }: Pick<Practice, 'punctuation'>,
): RoundText {
  return { words: wordsOf(punctuation ? sentencesFrom(words, seed, language.id, isWord) : words) };
}

/** Words of any length. A short list has them again sooner: as late as possible, their order would repeat. */
function drawFromList(list: readonly string[], count: number, bias: Bias, seed: number): string[] {
  const words = list.map(normalForm);
  const plain = new Float64Array(words.length).fill(1);
  const weighted = weightedWords(words, createWeighting(bias)(words, plain));
  const places = new Array<typeof weighted>(count).fill(weighted);
  return drawApart(places, weighted, createRandom(seed), Math.min(pause, Math.floor(words.length / 2)));
}

/** Replaces some words by numbers, but none with a punctuation mark. */
function withNumbers({ words, ...rest }: RoundText, random: Random): RoundText {
  const isPlain = (word: RoundText['words'][number]) =>
    typeof word === 'string' && /^[\p{Ll}\p{Lo}'-]+$/u.test(word);
  const replaced = words.map((word) => {
    const isNumber = random() < numberShare;
    const digits = 1 + Math.floor(random() * maxDigits);
    const number = Math.floor((0.1 + 0.9 * random()) * 10 ** digits);
    return isNumber && isPlain(word) ? String(number) : word;
  });
  return { words: replaced, ...rest };
}
