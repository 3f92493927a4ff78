import { createRandom } from '../choice/random.ts';
import type { Material, RoundText } from './material.ts';
import type { ModeOf } from './mode.ts';
import { linedText } from './text.ts';

/** A piece of code, line by line; its indentation is given, not typed. */
export function codeText(_: ModeOf<'code'>, { code, seed }: Material): RoundText {
  return linedText(code[Math.floor(createRandom(seed)() * code.length)] ?? '');
}
