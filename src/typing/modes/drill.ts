import { toBigramBias, toSlowPairs } from '../choice/bigram-bias.ts';
import { toLetterBias } from '../choice/letter-bias.ts';
import { toWordBias } from '../choice/word-bias.ts';
import type { Bias } from '../choice/word-choice.ts';
import type { Focus, Material, RoundText } from './material.ts';
import type { DrillMode } from './mode.ts';
import type { Practice } from './practice.ts';
import { toLines } from './text.ts';
import { drawText } from './words.ts';

const wordCount = 30;
/** How much more a drill prefers weak letters than a round of words does. */
const drillStrength = 1.5;

/** Words full of the letters or pairs that this player misses or is slow on, or the words that went wrong before. */
export function toDrillText({ on, text }: DrillMode, material: Material, practice: Practice): RoundText {
  if (text !== undefined) return { words: toLines(text, material.before).words };
  const drawn = drawText(wordCount, toDrillBias(on, material), material, practice);
  return on === 'bigrams' ? { ...drawn, focus: toBigramFocus(material.chapters) } : drawn;
}

/** More would not be kept in mind while typing. */
const shownPairs = 6;

/** The pairs that this player loses most time on, and the mean time of all pairs. */
function toBigramFocus(chapters: Material['chapters']): Focus[] {
  const { pairs, mean } = toSlowPairs(chapters);
  return pairs.slice(0, shownPairs).map(({ pair, ms }) => ({ text: pair, ms, targetMs: mean }));
}

function toDrillBias(on: DrillMode['on'], { chapters, language, isWord }: Material): Bias {
  if (on === 'bigrams') return toBigramBias(chapters);
  if (on === 'words') return toWordBias(chapters, isWord);
  const bias = toLetterBias(chapters, language.alphabet);
  return new Map([...bias].map(([letter, strength]) => [letter, drillStrength * strength]));
}
