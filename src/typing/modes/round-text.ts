import { toCodeText } from './code.ts';
import { toDrillText } from './drill.ts';
import { toGuidedText } from './guided.ts';
import type { Material, RoundText } from './material.ts';
import type { ModeOf, ModeType } from './mode.ts';
import type { Practice } from './practice.ts';
import { toQuoteText } from './quote.ts';
import { toOwnText } from './text.ts';
import { toWordsText } from './words.ts';

type TextOf<T extends ModeType> = (mode: ModeOf<T>, material: Material, practice: Practice) => RoundText;

/** The text of each mode. A new mode is an entry in `mode.ts`, a file in this folder and a line here. */
const texts: { readonly [T in ModeType]: TextOf<T> } = {
  words: toWordsText,
  time: toWordsText,
  text: toOwnText,
  quote: toQuoteText,
  code: toCodeText,
  drill: toDrillText,
  guided: toGuidedText,
};

export function toRoundText(practice: Practice, material: Material): RoundText {
  const toText = texts[practice.mode.type] as TextOf<ModeType>;
  return toText(practice.mode as never, material, practice);
}
