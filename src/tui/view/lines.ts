import { centred, widthOf } from '../../kit/terminal-text.ts';
import { type Word, wordText } from '../../typing/rules/word.ts';
import type { Look } from '../look/look.ts';
import type { Style } from '../look/theme-colours.ts';
import type { PacePlace } from '../round/pacer.ts';
import { isCode, isReadAsText } from '../round/round-setup.ts';
import type { RoundView } from '../round/round-view.ts';
import { styledText, syntaxOf } from './syntax.ts';
import { keySign, seenCells, type WordCell, wordCells } from './words.ts';

/** A row of the text: its first word, and the columns before it. */
export interface TextRow {
  readonly from: number;
  readonly indent: number;
}

/** Columns of a row of text: wider frames have longer ones, up to where the eye loses the next line. */
const minRow = 72;
const maxRow = 88;
/** Columns that a wide frame keeps free beside the text. */
const besideText = 40;

/** Columns of a row of text in a frame of `width` columns. */
function rowColumns(width: number): number {
  return Math.min(width, Math.max(minRow, Math.min(width - besideText, maxRow)));
}

/** Columns that the rest of a long line of code is moved by; prose goes on flush. */
const codeHanging = 2;

/** The words of a round in rows of at most `width` columns. */
function textRows(round: RoundView, width: number): TextRow[] {
  const rows: TextRow[] = [];
  const { lineEnds, indents, mode } = round.roundSetup;
  const hanging = isCode(mode) ? codeHanging : 0;
  const ends = new Set(lineEnds);
  let line = 0;
  let used = Number.POSITIVE_INFINITY;
  for (const at of round.words.keys()) {
    const columns = wordColumns(round, at);
    const isNewLine = at === 0 || ends.has(at - 1);
    if (ends.has(at - 1)) line += 1;
    // The last column is for what may follow the last word: the caret, or the sign of a line's end.
    if (!isNewLine && used + 1 + columns <= width - 1) used += 1 + columns;
    else {
      // On a narrow screen deep lines begin further to the left: most of a row is for the text.
      const indent = Math.min(indents[line] ?? 0, Math.floor(width / 3)) + (isNewLine ? 0 : hanging);
      rows.push({ from: at, indent });
      used = indent + columns;
    }
  }
  return rows;
}

/** Columns of a word with its extra letters. */
function wordColumns(round: RoundView, at: number): number {
  const word = round.words[at] ?? '';
  const columns = widthOf(wordText(word));
  if (at > round.progress.wordIndex) return columns;
  const extra = typedAt(round, at).slice(word.length);
  return extra.reduce((sum, key) => sum + Math.max(1, widthOf(key)), columns);
}

function typedAt({ progress, typed, typedBefore }: RoundView, at: number): readonly string[] {
  return at === progress.wordIndex ? typed : (typedBefore[at] ?? []);
}

/**
 * The round as text, in the middle of `width` columns and in at most `rows` rows; of a longer one the rows
 * around the current word. The wanted letters stay where they are; a wrong key stands in the row below.
 */
export function drawLines(
  look: Look,
  round: RoundView,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const measure = rowColumns(width);
  const lines = textRows(round, measure);
  const current = lines.findLastIndex(({ from }) => from <= round.progress.wordIndex);
  const isSpaced = lines.length * 2 <= rows;
  // The current row always has one for wrong keys below it.
  const room = isSpaced ? lines.length : Math.max(1, rows - 1);
  const first = Math.max(0, Math.min(current - 1, lines.length - room));
  const indent = ' '.repeat(Math.floor((width - measure) / 2));
  return lines.slice(first, first + room).flatMap((line, place) => {
    const at = first + place;
    const drawn = drawRow(look, round, line, lines[at + 1]?.from ?? round.words.length, measure, pace);
    const isShown = isSpaced || at === current;
    return isShown ? [indent + drawn.text, indent + drawn.marks] : [indent + drawn.text];
  });
}

interface DrawnRow {
  readonly text: string;
  /** The wrong keys, each below the letter that was wanted. */
  readonly marks: string;
}

function drawRow(
  look: Look,
  round: RoundView,
  { from, indent }: TextRow,
  to: number,
  width: number,
  pace: PacePlace | undefined,
): DrawnRow {
  const styles = syntaxOf(round);
  let text = ' '.repeat(indent);
  let marks = text;
  for (let at = from; at < to; at += 1) {
    const isCurrent = at === round.progress.wordIndex;
    const isBegun = at <= round.progress.wordIndex;
    const caret = isCurrent ? round.typed.length : 0;
    const cells = cellsOf(round, at);
    const paced = pace?.wordIndex === at ? cells[pace.at] : undefined;
    const seen = seenCells(cells, caret, width - indent - 1, cellWidth);
    const first = cells.indexOf(seen[0] as WordCell);
    const syntax = (styles[at] ?? []).slice(first);
    if (isBegun || paced !== undefined)
      text += seen.map((cell, place) => drawLetter(look, cell, cell === paced, syntax[place])).join('');
    else
      text += styledText(
        look.paint,
        seen.map(({ shown }) => shown),
        syntax,
      );
    marks += seen.map((cell) => drawKey(look, cell)).join('');
    // Past the last letter, the caret is on the space that follows: nothing moves when a word is finished.
    const end = drawEnd(look, round, at, at === to - 1);
    text += end || (at === to - 1 ? '' : ' ');
    marks += hasCaretAtEnd(round, at) ? drawRefused(look, round.refused) : ' ';
  }
  return { text, marks: marks.trimEnd() };
}

function cellWidth({ shown }: WordCell): number {
  return Math.max(1, widthOf(shown));
}

function cellsOf(round: RoundView, at: number): WordCell[] {
  const word: Word = round.words[at] ?? '';
  const isCurrent = at === round.progress.wordIndex;
  const cells = wordCells(word, typedAt(round, at), isCurrent ? round.refused : undefined);
  if (at >= round.progress.wordIndex) return cells;
  // Of a word that was left, letters that are missing are mistakes.
  return cells.map((cell) => (cell.typed === undefined ? { ...cell, state: 'wrong' } : cell));
}

/** The caret past the last letter, and while the last word of a row is typed, whether its line ends there. */
function drawEnd({ paint, signs }: Look, round: RoundView, at: number, isRowEnd: boolean): string {
  if (at !== round.progress.wordIndex) return '';
  const isWrap = isRowEnd && at < round.words.length - 1 && isReadAsText(round.roundSetup);
  const sign = round.roundSetup.lineEnds.includes(at) ? signs.lineEnd : isWrap ? signs.space : '';
  if (hasCaretAtEnd(round, at)) return paint('current', sign || ' ');
  return sign === '' ? '' : `${paint('faint', sign)}`;
}

function hasCaretAtEnd({ progress, words }: RoundView, at: number): boolean {
  return at === progress.wordIndex && progress.input.length >= (words[at]?.length ?? 0);
}

/** A wrong letter is underlined, because colours alone are not seen by everybody. */
function drawLetter(
  { paint, hasColours, signs }: Look,
  cell: WordCell,
  isPaced: boolean,
  syntax: Style | undefined,
): string {
  const { state } = cell;
  const shown = cell.shown === ' ' ? signs.space : cell.shown;
  if (state === 'current') return paint('current', shown);
  if (state === 'wrong') return `\x1b[4m${hasColours ? paint('wrong', shown) : shown}\x1b[24m`;
  if (isPaced) return paint('pace', shown);
  if (state === 'right') return paint('right', shown);
  return syntax === undefined ? shown : paint(syntax, shown);
}

/** The row below a letter: the key that was typed for it, unless that is shown in the text. */
function drawKey({ paint, signs }: Look, { shown, typed, state, isExtra }: WordCell): string {
  const width = Math.max(1, widthOf(shown));
  const isWrong = typed !== undefined && (state === 'wrong' || state === 'current') && !isExtra;
  if (!isWrong) return ' '.repeat(width);
  const sign = keySign(typed, signs.space);
  return paint('wrong', widthOf(sign) <= width ? centred(sign, width).padEnd(width) : signs.error);
}

function drawRefused({ paint, signs }: Look, refused: string | undefined): string {
  return refused === undefined ? ' ' : paint('wrong', keySign(refused, signs.space));
}
