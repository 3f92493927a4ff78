import { createRandom, deriveSeed, drawFresh, type Random, weightedWords } from '../choice/random-draw.ts';
import { sentencesFrom } from '../choice/sentences.ts';
import type { Targets } from '../choice/target-shares.ts';
import { letterBias } from '../choice/weaknesses.ts';
import { type Bias, createWeighting } from '../choice/weighting.ts';
import { normalForm, wordsOf } from '../rules/word.ts';
import type { ModeOf } from './mode.ts';
import type { Material, Practice, RoundText } from './practice.ts';

/** Enough words for 300 WPM, which is faster than anybody types. */
const wordsPerSecond = 300 / 60;
/** A word of a list does not come again within this many words, as far as the list is long enough. */
const pause = 14;
/** Share of the words that numbers replace, and the maximum number of their digits. */
const numberShare = 1 / 5;
const maxDigits = 4;

/** Words of the language, or of the player's list, preferring what this player should practise. */
export function wordsText(
  mode: ModeOf<'words'> | ModeOf<'time'>,
  material: Material,
  practice: Practice,
): RoundText {
  const bias = letterBias(material.chapters, material.language.alphabet);
  if (mode.type === 'time') {
    return drawText(Math.ceil(mode.seconds * wordsPerSecond), bias, material, practice);
  }
  const { count, list, numbers = false } = mode;
  const chosen = list === undefined ? material : { ...material, choose: chooserOf(list) };
  const text = drawText(count, bias, chosen, practice);
  return numbers ? withNumbers(text, createRandom(deriveSeed(material.seed, count))) : text;
}

/** `count` words of the language, as sentences if punctuation is practised. */
export function drawText(
  count: number,
  bias: Bias,
  { seed, language, choose, isWord }: Pick<Material, 'seed' | 'language' | 'choose' | 'isWord'>,
  { punctuation }: Pick<Practice, 'punctuation'>,
  targets?: Targets,
): RoundText {
  const words = choose({ seed, count, bias, ...(targets !== undefined && { targets }) });
  const shown = punctuation ? sentencesFrom(words, seed, language.id, isWord) : words;
  return { words: wordsOf(shown) };
}

/** Draws from a short list of words of any length. */
function chooserOf(list: readonly string[]): Material['choose'] {
  const words = list.map(normalForm);
  const plain = new Float64Array(words.length).fill(1);
  return ({ seed, count = 30, bias = new Map() }) => {
    const random = createRandom(seed);
    const weighted = weightedWords(words, createWeighting(bias)(words, plain));
    const distance = Math.min(pause, words.length - 1);
    const drawn: string[] = [];
    while (drawn.length < count) {
      const recent = distance === 0 ? [] : drawn.slice(-distance);
      drawn.push(drawFresh(weighted, recent, random));
    }
    return drawn;
  };
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
