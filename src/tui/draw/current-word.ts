import { toWord } from '../../typing/rules/word.ts';
import {
  type BlockScale,
  blockRows,
  hasBlockLetters,
  toBlockLetter,
  toBlockWidth,
} from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import type { PacePlace } from '../round/pacer.ts';
import type { LocalRound } from '../round/round.ts';
import { toColumns } from '../terminal/columns.ts';
import { cellStyles, drawMark, toWordCells, type WordCell } from './word-marks.ts';

/** Rows of a word with its marks: in block letters twice their size, in block letters, and in plain ones. */
export const largeWordRows = blockRows * 2 + 1;
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
  const form = toForm(letters, width, rows);
  const { scale, toLetterWidth } = form;
  const cells = toWordCells(word, typed, refused);
  const shown = typed.length < letters.length ? cells : [...cells, { ...caretAtEnd, typed: refused }];
  const first = toFirstSeen(shown, form, width);
  const seen = shown.slice(first);
  const paced = pace?.wordIndex === round.wordIndex ? pace.at - first : undefined;
  const widths = seen.map((cell) => toLetterWidth(cell.shown));
  const middle = Math.floor((width - toTotal(letters.map(toLetterWidth), scale)) / 2);
  const indent = ' '.repeat(Math.max(0, Math.min(middle, width - toTotal(widths, scale))));
  const drawn = form.isBlock ? drawBlocks(look, seen, scale) : [drawPlain(look, seen)];
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[at] ?? 1, at === paced));
  return [...drawn, marks.join(' '.repeat(scale))].map((row) => indent + row);
}

/** How the letters of a word are drawn; the gaps between them are `scale` columns wide. */
interface Form {
  readonly isBlock: boolean;
  readonly scale: BlockScale;
  readonly toLetterWidth: (letter: string) => number;
}

const plainForm: Form = { isBlock: false, scale: 1, toLetterWidth: toPlainWidth };
const blockForm: Form = { isBlock: true, scale: 1, toLetterWidth: toBlockWidth };
const largeForm: Form = { isBlock: true, scale: 2, toLetterWidth: (letter) => toBlockWidth(letter) * 2 };

function toForm(letters: readonly string[], width: number, rows: number): Form {
  if (!hasBlockLetters(letters)) return plainForm;
  const columns = toBlockColumns(letters);
  if (rows >= largeWordRows && columns * 2 <= width) return largeForm;
  return rows >= blockWordRows && columns <= width ? blockForm : plainForm;
}

/** Columns of a word in block letters; at twice their size, twice as many. */
export function toBlockColumns(letters: readonly string[]): number {
  return toTotal(letters.map(toBlockWidth), 1);
}

/** Of what is too long the end is shown: that is where the typing happens. */
function toFirstSeen(cells: readonly WordCell[], { scale, toLetterWidth }: Form, width: number): number {
  const widths = cells.map(({ shown }) => toLetterWidth(shown));
  let first = 0;
  for (let total = toTotal(widths, scale); total > width && first < cells.length - 1; first += 1) {
    total -= (widths[first] ?? 0) + scale;
  }
  return first;
}

/** Columns of letters with a gap between each two. */
function toTotal(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, one) => sum + one + gap, -gap);
}

function toPlainWidth(letter: string): number {
  return Math.max(1, toColumns(letter));
}

function drawBlocks(look: Look, cells: readonly WordCell[], scale: BlockScale): string[] {
  const letters = cells.map((cell) => toBlockLetter(cell.shown, look.ascii, scale));
  const gap = ' '.repeat(scale);
  return Array.from({ length: blockRows * scale }, (_, row) =>
    cells.map((cell, at) => look.paint(cellStyles[cell.state], letters[at]?.[row] ?? '')).join(gap),
  );
}

function drawPlain(look: Look, cells: readonly WordCell[]): string {
  const signs = cells.map(({ state, shown }) => {
    const style = state === 'current' ? 'current' : cellStyles[state];
    return look.paint(style, shown === '' ? ' ' : shown === ' ' ? look.signs.space : shown);
  });
  return signs.join(' ');
}
