import { centred, fittingParts, padded, widthOf } from '../../kit/terminal-text.ts';
import { wordText } from '../../typing/rules/word.ts';
import { blockLetter, blockRows, blockWidth, hasBlockLetters } from '../look/block-font.ts';
import type { Look, Style } from '../look/look.ts';
import type { RoundView } from '../round/round-view.ts';
import type { PacePlace } from '../state/pace.ts';

/** A round, and the columns and rows available for it. */
export interface ShownRound {
  readonly look: Look;
  readonly round: RoundView;
  readonly width: number;
  readonly rows: number;
  readonly pace: PacePlace | undefined;
}

/** One character of a word on the screen: what is shown there, and how it was typed. */
export interface WordCell {
  /** The character wanted; past the end of the word the one typed, and empty for the place after both. */
  readonly shown: string;
  /** What was typed, even if a rule kept it out; undefined if nothing is yet. */
  readonly typed: string | undefined;
  readonly state: 'right' | 'wrong' | 'current' | 'pending';
  /** Past the end of the word. */
  readonly isExtra?: boolean;
}

/** The letters of a word, and the place after it. In a word that was left, missing letters are mistakes. */
export function wordCells(round: RoundView, at: number): WordCell[] {
  const { wordIndex } = round.progress;
  const typed = typedAt(round, at);
  const cellOf = (shown: string, place: number): WordCell => {
    const key = typed[place];
    if (key !== undefined) return { shown, typed: key, state: key === shown ? 'right' : 'wrong' };
    if (at === wordIndex && place === typed.length) return { shown, typed: round.refused, state: 'current' };
    return { shown, typed: undefined, state: at < wordIndex && shown !== '' ? 'wrong' : 'pending' };
  };
  const letters = [...(round.words[at] ?? '')];
  const extra = typed
    .slice(letters.length)
    .map((key): WordCell => ({ shown: key, typed: key, state: 'wrong', isExtra: true }));
  return [...letters.map(cellOf), ...extra, cellOf('', letters.length + extra.length)];
}

/** The keys of a word that are in the text; none of one that is to come. */
export function typedAt({ progress, typedBefore }: RoundView, at: number): readonly string[] {
  return at === progress.wordIndex ? progress.input : (typedBefore[at] ?? []);
}

/** How a character is shown: a space needs a sign. */
export function signOf(character: string, { signs }: Pick<Look, 'signs'>): string {
  return character === ' ' ? signs.space : character;
}

/** Rows of a word with its marks: in block letters, and in plain ones. */
const blockWordRows = blockRows + 1;
const plainWordRows = 2;

/** Rows of a block word and the words around it, with a blank row between them. */
export const roomyWordRows = blockWordRows + 4;

/** The previous word, the current one as large as it gets, and the next three, in the middle. */
export function drawWords(shown: ShownRound): string[] {
  const { look, round, width, rows } = shown;
  const gap = rows >= roomyWordRows ? [''] : [];
  const wordRows = rows - 2 >= blockWordRows ? blockWordRows : plainWordRows;
  return [
    centred(drawPreviousWord(look, round), width),
    ...gap,
    ...drawCurrentWord({ ...shown, rows: wordRows }),
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

function drawNextWords({ paint }: Look, { words, progress }: RoundView, width: number): string {
  const next = words.slice(progress.wordIndex + 1, progress.wordIndex + 4).map(wordText);
  const [first = '', ...others] = fittingParts(next, '   ', width).split('   ');
  return [first, ...others.map((word) => paint('faint', word))].join('   ');
}

/**
 * The word being typed in the largest form that fits. Extra letters change neither its size nor, while there
 * is room for them, its place.
 */
function drawCurrentWord({ look, round, width, rows, pace }: ShownRound): string[] {
  const { wordIndex } = round.progress;
  const letters = [...(round.words[wordIndex] ?? '')];
  const isBlock =
    rows >= blockWordRows && hasBlockLetters(letters) && columnsOf(letters.map(blockWidth)) <= width;
  const widthOfLetter = isBlock ? blockWidth : (letter: string) => Math.max(1, widthOf(letter));
  const cells = wordCells(round, wordIndex).filter(({ shown, state }) => shown !== '' || state === 'current');
  const seen = seenCells(cells, round.progress.input.length, width, ({ shown }) => widthOfLetter(shown) + 1);
  const paced = pace?.wordIndex === wordIndex ? cells[pace.at] : undefined;
  const widths = seen.map(({ shown }) => widthOfLetter(shown));
  const middle = Math.floor((width - columnsOf(letters.map(widthOfLetter))) / 2);
  const indent = ' '.repeat(Math.max(0, Math.min(middle, width - columnsOf(widths))));
  const drawn = isBlock ? drawBlocks(look, seen) : [drawPlain(look, seen)];
  const marks = seen.map((cell, at) => drawMark(look, cell, widths[at] ?? 1, cell === paced));
  return [...drawn, marks.join(' ')].map((row) => indent + row);
}

/** The part around the caret of a word that is longer than its row. */
export function seenCells(
  cells: readonly WordCell[],
  caret: number,
  width: number,
  columnsOfCell: (cell: WordCell) => number,
): readonly WordCell[] {
  const widths = cells.map(columnsOfCell);
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
function columnsOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 1, -1);
}

const cellStyles: Readonly<Record<WordCell['state'], Style>> = {
  right: 'right',
  wrong: 'wrong',
  current: 'plain',
  pending: 'plain',
};

function drawBlocks(look: Look, cells: readonly WordCell[]): string[] {
  const letters = cells.map(({ shown }) => blockLetter(shown, look.ascii));
  return Array.from({ length: blockRows }, (_, row) =>
    cells.map(({ state }, at) => look.paint(cellStyles[state], letters[at]?.[row] ?? '')).join(' '),
  );
}

function drawPlain(look: Look, cells: readonly WordCell[]): string {
  const signs = cells.map(({ state, shown }) =>
    look.paint(state === 'current' ? 'current' : cellStyles[state], shown === '' ? ' ' : signOf(shown, look)),
  );
  return signs.join(' ');
}

/** The row below a character: a line if it is right, a cross and the key if it is wrong, and the pacer. */
function drawMark(look: Look, { state, typed }: WordCell, width: number, isPaced: boolean): string {
  const { paint, signs } = look;
  const middle = (text: string) => padded(centred(text, width), width);
  if (isPaced && state !== 'wrong') return paint('pace', middle(signs.pace));
  if (state === 'right') return paint('right', signs.right.repeat(width));
  if (state === 'current' && typed === undefined) return paint('accent', middle(signs.caret));
  if (state === 'pending') return ' '.repeat(width);
  const key = signOf(typed ?? '', look);
  // Both the cross and the key if there is room for both; the key alone says enough.
  return paint('wrong', middle(widthOf(signs.error + key) <= width ? signs.error + key : key));
}
