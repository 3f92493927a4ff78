import { centred, fittingParts, widthOf } from '../../kit/terminal-text.ts';
import { type Word, wordText } from '../../typing/rules/word.ts';
import { type BlockScale, blockLetter, blockRows, blockWidth, hasBlockLetters } from '../look/block-font.ts';
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

/** Rows of a word with its marks: in block letters twice their size, in block letters, and in plain ones. */
const largeWordRows = blockRows * 2 + 1;
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
  const isLarge = isLargeRound(round.words, width, rows);
  const gap = isLarge ? ['', ''] : rows >= roomyWordRows ? [''] : [];
  const smallerRows = rows - 2 >= blockWordRows ? blockWordRows : plainWordRows;
  const wordRows = isLarge ? largeWordRows : smallerRows;
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

/** Letters twice their size need room: with fewer rows they would push everything to the edges. */
const minLargeRows = largeWordRows + 10;

/** Whether each word and a caret fit at twice the size, which then stays the same for the whole round. */
function isLargeRound(words: readonly Word[], width: number, rows: number): boolean {
  return rows >= minLargeRows && (widestWord(words) + 1 + blockWidth('')) * 2 <= width;
}

const knownWidths = new WeakMap<readonly Word[], number>();

/** Columns of the widest word in block letters; infinite if one cannot be drawn. Counted once for a list. */
function widestWord(words: readonly Word[]): number {
  const before = knownWidths.get(words);
  if (before !== undefined) return before;
  const widest = words.reduce((most, word) => {
    const letters = [...word];
    return Math.max(most, hasBlockLetters(letters) ? blockColumns(letters) : Number.POSITIVE_INFINITY);
  }, 0);
  knownWidths.set(words, widest);
  return widest;
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
  const { scale, letterWidth } = form;
  const cells = wordCells(letters, typed, refused);
  const shown = typed.length < letters.length ? cells : [...cells, { ...caretAtEnd, typed: refused }];
  const first = newEventCursor(shown, form, width);
  const seen = shown.slice(first);
  const paced = pace?.wordIndex === progress.wordIndex ? pace.at - first : undefined;
  const widths = seen.map((cell) => letterWidth(cell.shown));
  const middle = Math.floor((width - total(letters.map(letterWidth), scale)) / 2);
  const indent = ' '.repeat(Math.max(0, Math.min(middle, width - total(widths, scale))));
  const drawn = form.isBlock ? drawBlocks(look, seen, scale) : [drawPlain(look, seen)];
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[at] ?? 1, at === paced));
  return [...drawn, marks.join(' '.repeat(scale))].map((row) => indent + row);
}

/** How the letters of a word are drawn; the gaps between them are `scale` columns wide. */
interface Form {
  readonly isBlock: boolean;
  readonly scale: BlockScale;
  readonly letterWidth: (letter: string) => number;
}

const plainForm: Form = { isBlock: false, scale: 1, letterWidth: (letter) => Math.max(1, widthOf(letter)) };
const blockForm: Form = { isBlock: true, scale: 1, letterWidth: blockWidth };
const largeForm: Form = { isBlock: true, scale: 2, letterWidth: (letter) => blockWidth(letter) * 2 };

function formOf(letters: readonly string[], width: number, rows: number): Form {
  if (!hasBlockLetters(letters)) return plainForm;
  const columns = blockColumns(letters);
  if (rows >= largeWordRows && columns * 2 <= width) return largeForm;
  return rows >= blockWordRows && columns <= width ? blockForm : plainForm;
}

/** Columns of a word in block letters; at twice their size, twice as many. */
function blockColumns(letters: readonly string[]): number {
  return total(letters.map(blockWidth), 1);
}

/** Of what is too long the end is shown: that is where the typing happens. */
function newEventCursor(cells: readonly WordCell[], { scale, letterWidth }: Form, width: number): number {
  const widths = cells.map(({ shown }) => letterWidth(shown));
  let first = 0;
  for (let columns = total(widths, scale); columns > width && first < cells.length - 1; first += 1) {
    columns -= (widths[first] ?? 0) + scale;
  }
  return first;
}

/** Columns of letters with a gap between each two. */
function total(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, one) => sum + one + gap, -gap);
}

const cellStyles: Readonly<Record<WordCell['state'], Style>> = {
  right: 'right',
  wrong: 'wrong',
  current: 'pending',
  pending: 'pending',
};

function drawBlocks(look: Look, cells: readonly WordCell[], scale: BlockScale): string[] {
  const letters = cells.map((cell) => blockLetter(cell.shown, look.ascii, scale));
  const gap = ' '.repeat(scale);
  return Array.from({ length: blockRows * scale }, (_, row) =>
    cells.map((cell, at) => look.paint(cellStyles[cell.state], letters[at]?.[row] ?? '')).join(gap),
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
