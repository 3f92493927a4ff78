import { toWord } from '../../typing/rules/word.ts';
import { hasBlockLetters, toBlockWidth } from '../look/block-font.ts';
import { largeWordRows, toBlockColumns } from './current-word.ts';

/** Letters twice their size need air around them: with fewer rows they would push everything else to the edges. */
const fewestLargeRows = largeWordRows + 10;

/**
 * Whether the words of a round are drawn in block letters twice their size, in `width` columns and `rows` rows: only
 * where each of them fits, with the caret after it, so that the size stays the same from the first word to the last.
 */
export function isLargeRound(words: readonly string[], width: number, rows: number): boolean {
  return rows >= fewestLargeRows && (toWidest(words) + 1 + toBlockWidth('')) * 2 <= width;
}

const known = new WeakMap<readonly string[], number>();

/** Columns of the widest word in block letters; infinite where one cannot be drawn in them. Counted once for a list. */
function toWidest(words: readonly string[]): number {
  const before = known.get(words);
  if (before !== undefined) return before;
  const columns = words.map((word) => {
    const letters = [...toWord(word)];
    return hasBlockLetters(letters) ? toBlockColumns(letters) : Number.POSITIVE_INFINITY;
  });
  const widest = columns.reduce((most, one) => Math.max(most, one), 0);
  known.set(words, widest);
  return widest;
}
