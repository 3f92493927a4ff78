import { toCodeText } from './code.ts';
import { toDrillText } from './drill.ts';
import { toGuidedText } from './guided.ts';
import type { Material, RoundText } from './material.ts';
import type { Mode } from './mode.ts';
import type { Practice } from './practice.ts';
import { toQuoteText } from './quote.ts';
import { toOwnText } from './text.ts';
import { toWordsText } from './words.ts';

type TextOf<Type extends Mode['type']> = (
  mode: Extract<Mode, { type: Type }>,
  material: Material,
  practice: Practice,
) => RoundText;

/** Every mode. A new mode is a file in this folder and a line here. */
const modes: { readonly [Type in Mode['type']]: TextOf<Type> } = {
  words: toWordsText,
  time: toWordsText,
  text: toOwnText,
  quote: toQuoteText,
  code: toCodeText,
  drill: toDrillText,
  guided: toGuidedText,
};

export function toRoundText(practice: Practice, material: Material): RoundText {
  const toText = modes[practice.mode.type] as TextOf<Mode['type']>;
  return toText(practice.mode as never, material, practice);
}
