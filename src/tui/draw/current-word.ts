import { toWord } from '../../typing/rules/word.ts';
import { blockRows, hasBlockLetters, toBlockLetter, toBlockWidth } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import type { PacePlace } from '../round/pacer.ts';
import type { LocalRound } from '../round/round.ts';
import { toColumns } from '../terminal/columns.ts';
import { cellStyles, drawMark, toWordCells, type WordCell } from './word-marks.ts';

/** Rows of a word in block letters with its marks, and of a plain one. */
export const blockWordRows = blockRows + 1;
export const plainWordRows = 2;

/** The caret past the last letter: where an extra one would go. */
const caretAtEnd: WordCell = { shown: '', typed: undefined, state: 'current' };

/**
 * The word being typed in the middle of `width` columns, in the largest form that fits into them and into `rows` rows.
 * Extra letters change neither its size nor, while there is room for them, its place.
 */
export function drawCurrentWord(
  look: Look,
  round: Pick<LocalRound, 'words' | 'wordIndex' | 'typed' | 'refused'>,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const { typed, refused } = round;
  const word = round.words[round.wordIndex] ?? '';
  const letters = [...toWord(word)];
  const fits = rows >= blockWordRows && toTotal(letters.map(toBlockWidth)) <= width;
  const isBlock = fits && hasBlockLetters(letters);
  const toLetterWidth = isBlock ? toBlockWidth : toPlainWidth;
  const cells = toWordCells(word, typed, refused);
  const shown = typed.length < letters.length ? cells : [...cells, { ...caretAtEnd, typed: refused }];
  const first = toFirstSeen(shown, toLetterWidth, width);
  const seen = shown.slice(first);
  const paced = pace?.wordIndex === round.wordIndex ? pace.at - first : undefined;
  const widths = seen.map((cell) => toLetterWidth(cell.shown));
  const middle = Math.floor((width - toTotal(letters.map(toLetterWidth))) / 2);
  const indent = ' '.repeat(Math.max(0, Math.min(middle, width - toTotal(widths))));
  const drawn = isBlock ? drawBlocks(look, seen) : [drawPlain(look, seen)];
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[at] ?? 1, at === paced)).join(' ');
  return [...drawn, marks].map((row) => indent + row);
}

/** Of what is too long the end is shown: that is where the typing happens. */
function toFirstSeen(
  cells: readonly WordCell[],
  toLetterWidth: (letter: string) => number,
  width: number,
): number {
  const widths = cells.map(({ shown }) => toLetterWidth(shown));
  let first = 0;
  for (let total = toTotal(widths); total > width && first < cells.length - 1; first += 1) {
    total -= (widths[first] ?? 0) + 1;
  }
  return first;
}

/** Columns of letters with a gap between each two. */
function toTotal(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 1, -1);
}

function toPlainWidth(letter: string): number {
  return Math.max(1, toColumns(letter));
}

function drawBlocks(look: Look, cells: readonly WordCell[]): string[] {
  const letters = cells.map((cell) => toBlockLetter(cell.shown, look.ascii));
  return Array.from({ length: blockRows }, (_, row) =>
    cells.map((cell, at) => look.paint(cellStyles[cell.state], letters[at]?.[row] ?? '')).join(' '),
  );
}

function drawPlain(look: Look, cells: readonly WordCell[]): string {
  const signs = cells.map(({ state, shown }) => {
    const style = state === 'current' ? 'current' : cellStyles[state];
    return look.paint(style, shown === '' ? ' ' : shown === ' ' ? look.signs.space : shown);
  });
  return signs.join(' ');
}
