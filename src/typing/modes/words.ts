import type { Bias } from '../choice/biased-words.ts';
import { toLetterBias } from '../choice/letter-bias.ts';
import { toSentences } from '../choice/sentences.ts';
import { toWord } from '../rules/word.ts';
import type { Material, RoundText } from './material.ts';
import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';

/** Words enough for a typist at 300 WPM, the fastest there are. */
const fastestWordsPerSecond = 300 / 60;

export function toWordsText(
  { count }: Extract<Mode, { type: 'words' }>,
  material: Material,
  practice: Practice,
): RoundText {
  return drawText(count, toLetterBias(material.chapters, material.language.alphabet), material, practice);
}

export function toTimeText(
  { seconds }: Extract<Mode, { type: 'time' }>,
  material: Material,
  practice: Practice,
): RoundText {
  return toWordsText(
    { type: 'words', count: Math.ceil(seconds * fastestWordsPerSecond) },
    material,
    practice,
  );
}

/** So many words of the language, as sentences where the practice is of punctuation. */
export function drawText(
  count: number,
  bias: Bias,
  { seed, language, choose, isWord }: Pick<Material, 'seed' | 'language' | 'choose' | 'isWord'>,
  { punctuation }: Pick<Practice, 'punctuation'>,
  evenShare = 0,
): RoundText {
  const words = choose({ seed, count, bias, evenShare });
  const shown = punctuation ? toSentences(words, seed, language.id, isWord) : words;
  return { words: shown.map(toWord) };
}
