import type { Bias } from '../choice/weighting.ts';
import { letterBias } from '../choice/weaknesses.ts';
import { toSentences } from '../choice/sentences.ts';
import type { Targets } from '../choice/target-shares.ts';
import { lettersPerWord } from '../choice/word-choice.ts';
import { toWords } from '../rules/word.ts';
import type { Material, RoundText } from './material.ts';
import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';

/** Enough words for 300 WPM, which is faster than anybody types. */
const fastestWordsPerSecond = 300 / 60;

/** Lower bounds known before a text is made: its words, and the letters in them. */
export interface TextSize {
  readonly words: number;
  readonly letters: number;
}

/** Zeros for modes without a fixed number of words. */
export function toTextSize(mode: Mode): TextSize {
  const words = wordCountOf(mode);
  return { words, letters: words * lettersPerWord };
}

function wordCountOf(mode: Mode): number {
  if (mode.type === 'words') return mode.count;
  return mode.type === 'time' ? Math.ceil(mode.seconds * fastestWordsPerSecond) : 0;
}

export function toWordsText(
  mode: Extract<Mode, { type: 'words' | 'time' }>,
  material: Material,
  practice: Practice,
): RoundText {
  return drawText(
    wordCountOf(mode),
    letterBias(material.chapters, material.language.alphabet),
    material,
    practice,
  );
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
  const shown = punctuation ? toSentences(words, seed, language.id, isWord) : words;
  return { words: toWords(shown) };
}
