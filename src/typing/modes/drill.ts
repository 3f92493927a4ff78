import { toBigramBias } from '../choice/bigram-bias.ts';
import { toLetterBias } from '../choice/letter-bias.ts';
import { toWordBias } from '../choice/word-bias.ts';
import type { Bias } from '../choice/word-choice.ts';
import type { Material, RoundText } from './material.ts';
import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';
import { drawText } from './words.ts';

const wordCount = 30;
/** How much more a drill prefers weak letters than a round of words does. */
const drillStrength = 1.5;

/** Words full of the letters or pairs that this player misses or is slow on, or the words that went wrong before. */
export function toDrillText(
  { on }: Extract<Mode, { type: 'drill' }>,
  material: Material,
  practice: Practice,
): RoundText {
  return drawText(wordCount, toDrillBias(on, material), material, practice);
}

function toDrillBias(
  on: Extract<Mode, { type: 'drill' }>['on'],
  { chapters, language, isWord }: Material,
): Bias {
  if (on === 'bigrams') return toBigramBias(chapters);
  if (on === 'words') return toWordBias(chapters, isWord);
  const bias = toLetterBias(chapters, language.alphabet);
  return new Map([...bias].map(([letter, strength]) => [letter, drillStrength * strength]));
}
