import { toWord } from '../../typing/rules/word.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/themes.ts';
import { toColumns } from '../terminal/columns.ts';

/** One character of a word on the screen: what is shown there, and how it was typed. */
export interface WordCell {
  /** The character wanted; past the end of the word the one typed. */
  readonly shown: string;
  /** What was typed, even if a rule kept it out; undefined where nothing is yet. */
  readonly typed: string | undefined;
  readonly state: 'right' | 'wrong' | 'current' | 'pending';
}

/**
 * The characters of a word with everything typed so far; extra letters follow its end.
 *
 * @param refused a wrong key that a rule has just kept out
 */
export function toWordCells(word: string, typed: readonly string[], refused?: string): WordCell[] {
  const cells = [...toWord(word)].map((shown, at): WordCell => {
    const key = typed[at];
    if (key !== undefined) return { shown, typed: key, state: key === shown ? 'right' : 'wrong' };
    return at === typed.length
      ? { shown, typed: refused, state: 'current' }
      : { shown, typed: undefined, state: 'pending' };
  });
  const extra = typed
    .slice(cells.length)
    .map((key): WordCell => ({ shown: key, typed: key, state: 'wrong' }));
  return [...cells, ...extra];
}

/** The row below a character, `width` columns wide: a line under a right one, a cross and the key for a wrong one, and the pacer. */
export function drawMark({ paint, signs }: Look, cell: WordCell, width: number, isPaced = false): string {
  if (isPaced && cell.state !== 'wrong') return paint('pace', toMiddle(signs.pace, width));
  switch (cell.state) {
    case 'right':
      return paint('right', signs.right.repeat(width));
    case 'wrong':
      return drawWrongMark({ paint, signs }, cell.typed ?? '', width);
    case 'current':
      return cell.typed === undefined
        ? paint('accent', toMiddle(signs.caret, width))
        : drawWrongMark({ paint, signs }, cell.typed, width);
    default:
      return ' '.repeat(width);
  }
}

function drawWrongMark({ paint, signs }: Pick<Look, 'paint' | 'signs'>, key: string, width: number): string {
  return paint('wrong', toMiddle(toWrongMark(signs.error, toKeySign(key, signs.space), width), width));
}

/** Both the cross and the key where there is room for both; the key alone says enough. */
function toWrongMark(cross: string, key: string, width: number): string {
  return cross.length + toColumns(key) <= width ? cross + key : key;
}

/** How a typed key is shown: a space needs a sign. */
export function toKeySign(key: string, spaceSign: string): string {
  return key === ' ' ? spaceSign : key;
}

export const cellStyles: Readonly<Record<WordCell['state'], Style>> = {
  right: 'right',
  wrong: 'wrong',
  current: 'pending',
  pending: 'pending',
};

function toMiddle(text: string, width: number): string {
  const room = Math.max(0, width - toColumns(text));
  const left = Math.floor(room / 2);
  return ' '.repeat(left) + text + ' '.repeat(room - left);
}
