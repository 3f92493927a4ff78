import { drillText } from './drill.ts';
import { guidedText } from './guided.ts';
import type { ModeOf, ModeType } from './mode.ts';
import type { Material, Practice, RoundText } from './practice.ts';
import { codeText, ownText, quoteText } from './text.ts';
import { wordsText } from './words.ts';

type TextOf<T extends ModeType> = (mode: ModeOf<T>, material: Material, practice: Practice) => RoundText;

/** The text of each mode. A new mode is an entry in `mode.ts`, a file in this folder and a line here. */
const texts: { readonly [T in ModeType]: TextOf<T> } = {
  words: wordsText,
  time: wordsText,
  text: ownText,
  quote: quoteText,
  code: codeText,
  drill: drillText,
  guided: guidedText,
};

export function roundText(practice: Practice, material: Material): RoundText {
  const textOf = texts[practice.mode.type] as TextOf<ModeType>;
  return textOf(practice.mode as never, material, practice);
}
