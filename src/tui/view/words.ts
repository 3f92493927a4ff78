import { centred, fittingParts, widthOf } from '../../kit/terminal-text.ts';
import { type Word, wordText } from '../../typing/rules/word.ts';
import { blockLetter, blockRows, blockWidth, hasBlockLetters } from '../look/block-font.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/theme-colours.ts';
import type { PacePlace } from '../round/pacer.ts';
import type { RoundView } from '../round/round-view.ts';

/** One character of a word on the screen: what is shown there, and how it was typed. */
export interface WordCell {
  /** The character wanted; past the end of the word the one typed. */
  readonly shown: string;
  /** What was typed, even if a rule kept it out; undefined if nothing is yet. */
  readonly typed: string | undefined;
  readonly state: 'right' | 'wrong' | 'current' | 'pending';
  /** Past the end of the word. */
  readonly isExtra?: boolean;
}

/** @param refused a wrong key that a rule has just kept out */
export function wordCells(word: Word, typed: readonly string[], refused?: string): WordCell[] {
  const cells = [...word].map((shown, at): WordCell => {
    const key = typed[at];
    if (key !== undefined) return { shown, typed: key, state: key === shown ? 'right' : 'wrong' };
    return at === typed.length
      ? { shown, typed: refused, state: 'current' }
      : { shown, typed: undefined, state: 'pending' };
  });
  const extra = typed
    .slice(cells.length)
    .map((key): WordCell => ({ shown: key, typed: key, state: 'wrong', isExtra: true }));
  return [...cells, ...extra];
}

/** How a typed key is shown: a space needs a sign. */
export function keySign(key: string, spaceSign: string): string {
  return key === ' ' ? spaceSign : key;
}

/** Rows of a word with its marks: in block letters, and in plain ones. */
const blockWordRows = blockRows + 1;
const plainWordRows = 2;

/** Rows that the words around a block word take if there is room to breathe. */
export const roomyWordRows = blockWordRows + 4;

/** The previous word, the current one as large as it gets, and the next three, in the middle. */
export function drawWords(
  look: Look,
  round: RoundView,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const gap = rows >= roomyWordRows ? [''] : [];
  const wordRows = rows - 2 >= blockWordRows ? blockWordRows : plainWordRows;
  return [
    centred(drawPreviousWord(look, round), width),
    ...gap,
    ...drawCurrentWord(look, round, width, wordRows, pace),
    ...gap,
    centred(drawNextWords(look, round, width), width),
  ];
}

/** The word before, faint; with a cross if it was left with a mistake in it. */
function drawPreviousWord({ paint, signs }: Look, { words, progress, typedBefore }: RoundView): string {
  const at = progress.wordIndex - 1;
  const word = words[at];
  if (word === undefined) return '';
  const text = wordText(word);
  return paint('faint', text) + (typedBefore[at]?.join('') === text ? '' : paint('wrong', ` ${signs.error}`));
}

/** The next three words, or as many as fit. */
function drawNextWords({ paint }: Look, { words, progress }: RoundView, width: number): string {
  const next = words.slice(progress.wordIndex + 1, progress.wordIndex + 4).map(wordText);
  return fittingParts(next, '   ', width)
    .split('   ')
    .map((word, at) => (at === 0 ? word : paint('faint', word)))
    .join('   ');
}

/** The caret past the last letter: where an extra one would go. */
const caretAtEnd: WordCell = { shown: '', typed: undefined, state: 'current' };

/**
 * The word being typed in the largest form that fits. Extra letters change neither its size nor, while there
 * is room for them, its place.
 */
function drawCurrentWord(
  look: Look,
  { words, progress, typed, refused }: RoundView,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const letters = [...(words[progress.wordIndex] ?? '')];
  const form = formOf(letters, width, rows);
  const { letterWidth } = form;
  const cells = wordCells(letters, typed, refused);
  const shown = typed.length < letters.length ? cells : [...cells, { ...caretAtEnd, typed: refused }];
  const seen = seenCells(shown, typed.length, width, (cell) => letterWidth(cell.shown) + 1);
  const first = shown.indexOf(seen[0] ?? caretAtEnd);
  const paced = pace?.wordIndex === progress.wordIndex ? pace.at - first : undefined;
  const widths = seen.map((cell) => letterWidth(cell.shown));
  const middle = Math.floor((width - total(letters.map(letterWidth))) / 2);
  const indent = ' '.repeat(Math.max(0, Math.min(middle, width - total(widths))));
  const drawn = form.isBlock ? drawBlocks(look, seen) : [drawPlain(look, seen)];
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[at] ?? 1, at === paced));
  return [...drawn, marks.join(' ')].map((row) => indent + row);
}

/** How the letters of a word are drawn, with gaps of one column. */
interface Form {
  readonly isBlock: boolean;
  readonly letterWidth: (letter: string) => number;
}

const plainForm: Form = { isBlock: false, letterWidth: (letter) => Math.max(1, widthOf(letter)) };
const blockForm: Form = { isBlock: true, letterWidth: blockWidth };

function formOf(letters: readonly string[], width: number, rows: number): Form {
  const isRoomy = rows >= blockWordRows && hasBlockLetters(letters);
  return isRoomy && total(letters.map(blockWidth)) <= width ? blockForm : plainForm;
}

/** Of a word longer than its row the part around the caret. @param widthOfCell with the gap after it */
export function seenCells(
  cells: readonly WordCell[],
  caret: number,
  width: number,
  widthOfCell: (cell: WordCell) => number,
): readonly WordCell[] {
  const widths = cells.map(widthOfCell);
  let columns = widths.reduce((sum, each) => sum + each, 0);
  let [first, end] = [0, cells.length];
  while (columns > width && first < end - 1) {
    const isLater = caret - first > (end - first) / 2;
    columns -= (isLater ? widths[first] : widths[end - 1]) ?? 0;
    if (isLater) first += 1;
    else end -= 1;
  }
  return cells.slice(first, end);
}

/** Columns of letters with a gap between each two. */
function total(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 1, -1);
}

const cellStyles: Readonly<Record<WordCell['state'], Style>> = {
  right: 'right',
  wrong: 'wrong',
  current: 'pending',
  pending: 'pending',
};

function drawBlocks(look: Look, cells: readonly WordCell[]): string[] {
  const letters = cells.map((cell) => blockLetter(cell.shown, look.ascii));
  return Array.from({ length: blockRows }, (_, row) =>
    cells.map((cell, at) => look.paint(cellStyles[cell.state], letters[at]?.[row] ?? '')).join(' '),
  );
}

function drawPlain(look: Look, cells: readonly WordCell[]): string {
  const signs = cells.map(({ state, shown }) => {
    const style = state === 'current' ? 'current' : cellStyles[state];
    return look.paint(style, shown === '' ? ' ' : keySign(shown, look.signs.space));
  });
  return signs.join(' ');
}

/** The row below a character: a line if it is right, a cross and the key if it is wrong, and the pacer. */
function drawMark({ paint, signs }: Look, cell: WordCell, width: number, isPaced: boolean): string {
  const { state, typed } = cell;
  if (isPaced && state !== 'wrong') return paint('pace', middle(signs.pace, width));
  if (state === 'right') return paint('right', signs.right.repeat(width));
  if (state === 'current' && typed === undefined) return paint('accent', middle(signs.caret, width));
  if (state === 'pending') return ' '.repeat(width);
  const key = keySign(typed ?? '', signs.space);
  // Both the cross and the key if there is room for both; the key alone says enough.
  const mark = signs.error.length + widthOf(key) <= width ? signs.error + key : key;
  return paint('wrong', middle(mark, width));
}

function middle(text: string, width: number): string {
  const room = Math.max(0, width - widthOf(text));
  const left = Math.floor(room / 2);
  return ' '.repeat(left) + text + ' '.repeat(room - left);
}
