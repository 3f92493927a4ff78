import stringWidth from 'string-width';
import { blockRows, toBlockLetter, toBlockWidth } from '../screen/block-font.ts';
import type { Look } from '../screen/look.ts';
import { cellStyles, drawMark, toWordCells, type WordCell } from './word-marks.ts';

/** Rows of a word in block letters with its marks, and of a plain one. */
export const blockWordRows = blockRows + 1;
export const plainWordRows = 2;

/** The word being typed, in the largest form that fits into `width` columns and `rows` rows. */
export function drawCurrentWord(
  look: Look,
  word: string,
  typed: readonly string[],
  width: number,
  rows: number,
): string[] {
  const cells = toWordCells(word, typed);
  const widths = cells.map(({ shown }) => toBlockWidth(shown));
  const blockWidth = widths.reduce((sum, one) => sum + one + 1, -1);
  if (rows >= blockWordRows && blockWidth <= width) return drawBlocks(look, cells, widths);
  return drawPlain(look, cells, width);
}

function drawBlocks(look: Look, cells: readonly WordCell[], widths: readonly number[]): string[] {
  const letters = cells.map((cell) => toBlockLetter(cell.shown, look.ascii));
  const rows = Array.from({ length: blockRows }, (_, row) =>
    cells.map((cell, at) => look.paint(cellStyles[cell.state], letters[at]?.[row] ?? '')).join(' '),
  );
  return [...rows, cells.map((cell, at) => drawMark(look, cell, widths[at] ?? 0)).join(' ')];
}

/** Letters one column apart. Of a word that is too long even so, the end is shown: that is where the typing happens. */
function drawPlain(look: Look, cells: readonly WordCell[], width: number): string[] {
  const widths = cells.map(({ shown }) => Math.max(1, stringWidth(shown)));
  let first = 0;
  let room = width + 1 - widths.reduce((sum, one) => sum + one + 1, 0);
  while (room < 0 && first < cells.length - 1) {
    room += (widths[first] ?? 0) + 1;
    first += 1;
  }
  const seen = cells.slice(first);
  const text = seen.map((cell) =>
    look.paint(
      cell.state === 'current' ? 'current' : cellStyles[cell.state],
      cell.shown === ' ' ? look.signs.space : cell.shown,
    ),
  );
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[first + at] ?? 1));
  return [text.join(' '), marks.join(' ')];
}
