import type { Bias } from '../choice/biased-words.ts';
import { toBigramBias, toSlowPairs } from '../choice/bigram-bias.ts';
import { toLetterBias } from '../choice/letter-bias.ts';
import { toWordBias } from '../choice/word-bias.ts';
import type { Focus, Material, RoundText } from './material.ts';
import type { DrillMode } from './mode.ts';
import type { Practice } from './practice.ts';
import { toLines } from './text.ts';
import { drawText } from './words.ts';

const wordCount = 30;
/** How much more strongly than a round of words a drill prefers weak letters. */
const letterStrength = 1.8;
/** Share of a drill that is drawn without preference, so that no letter, pair or word disappears. */
const evenShare = 0.2;

/** Words with many of the letters or pairs that this player misses or is slow on, or the words that went wrong before. */
export function toDrillText({ on, text }: DrillMode, material: Material, practice: Practice): RoundText {
  if (text !== undefined) return { words: toLines(text, material.before).words };
  const draw = (bias: Bias) => drawText(wordCount, bias, material, practice, evenShare);
  const { chapters, language, isWord } = material;
  switch (on) {
    case 'letters':
      return draw(toStrongLetterBias(chapters, language.alphabet));
    case 'words':
      return draw(toWordBias(chapters, isWord));
    default: {
      const slow = toSlowPairs(chapters);
      return { ...draw(toBigramBias(slow.pairs)), focus: toBigramFocus(slow) };
    }
  }
}

function toStrongLetterBias(chapters: Material['chapters'], alphabet: string): Bias {
  const bias = toLetterBias(chapters, alphabet);
  return new Map([...bias].map(([letter, strength]) => [letter, letterStrength * strength]));
}

/** Nobody keeps more in mind while typing. */
const shownPairs = 6;

/** The pairs that cost this player most time, with the mean time of all pairs as target. */
function toBigramFocus({ pairs, mean }: ReturnType<typeof toSlowPairs>): Focus[] {
  return pairs.slice(0, shownPairs).map(({ pair, ms }) => ({ text: pair, ms, targetMs: mean }));
}
