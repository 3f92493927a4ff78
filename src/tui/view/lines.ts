import { centred, padded, widthOf } from '../../kit/terminal-text.ts';
import { wordText } from '../../typing/rules/word.ts';
import type { Look, Style } from '../look/look.ts';
import { isCode } from '../round/round-setup.ts';
import type { RoundView } from '../round/round-view.ts';
import { syntaxOf } from './syntax.ts';
import { type ShownRound, seenCells, signOf, typedAt, type WordCell, wordCells } from './words.ts';

/** A row of the text: its words, the last one excluded, and the columns before it. */
interface TextRow {
  readonly from: number;
  readonly to: number;
  readonly indent: number;
}

/** Max columns of a row of text: after a longer one, the eye does not find the next. */
const maxColumns = 72;

/** Columns by which the rest of a long line of code is indented; prose is not. */
const codeHanging = 2;

function textRows(round: RoundView, width: number): TextRow[] {
  const { lineEnds, indents, mode } = round.roundSetup;
  const hanging = isCode(mode) ? codeHanging : 0;
  const ends = new Set(lineEnds);
  const begins: Omit<TextRow, 'to'>[] = [];
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
      begins.push({ from: at, indent });
      used = indent + columns;
    }
  }
  return begins.map((row, at) => ({ ...row, to: begins[at + 1]?.from ?? round.words.length }));
}

function wordColumns(round: RoundView, at: number): number {
  const word = round.words[at] ?? '';
  const columns = widthOf(wordText(word));
  const typed = typedAt(round, at);
  if (typed.length <= word.length) return columns;
  return typed.slice(word.length).reduce((sum, key) => sum + Math.max(1, widthOf(key)), columns);
}

/**
 * The round as text, in the middle of `width` columns and in at most `rows` rows; of a longer one the rows
 * around the current word. The wanted letters stay where they are; a wrong key stands in the row below.
 */
export function drawLines(shown: ShownRound): string[] {
  const { round, width, rows } = shown;
  const columns = Math.min(width, maxColumns);
  const lines = textRows(round, columns);
  const current = lines.findLastIndex(({ from }) => from <= round.progress.wordIndex);
  const isSpaced = lines.length * 2 <= rows;
  // The current row always has one for wrong keys below it.
  const room = isSpaced ? lines.length : Math.max(1, rows - 1);
  const first = Math.max(0, Math.min(current - 1, lines.length - room));
  const margin = ' '.repeat(Math.floor((width - columns) / 2));
  return lines.slice(first, first + room).flatMap((line, at) => {
    const [text, marks] = drawRow({ ...shown, width: columns }, line);
    return isSpaced || first + at === current ? [margin + text, margin + marks] : [margin + text];
  });
}

/** The row, and the one below it: the wrong keys, each below the letter that was wanted. */
function drawRow(shown: ShownRound, { from, to, indent }: TextRow): [text: string, marks: string] {
  const { look, round, width, pace } = shown;
  const syntax = syntaxOf(round);
  const text = createRuns(look, ' '.repeat(indent));
  let marks = ' '.repeat(indent);
  for (let at = from; at < to; at += 1) {
    const style = wholeStyle(round, at, syntax[at]);
    const columns = wordColumns(round, at);
    if (style !== undefined && pace?.wordIndex !== at && columns < width - indent) {
      text.add(style, wordText(round.words[at] ?? ''));
      text.add('plain', ' ');
      marks += ' '.repeat(columns + 1);
      continue;
    }
    const isCurrent = at === round.progress.wordIndex;
    const cells = wordCells(round, at);
    const paced = pace?.wordIndex === at ? cells[pace.at] : undefined;
    const seen = seenCells(cells, isCurrent ? round.progress.input.length : 0, width - indent, cellWidth);
    const first = cells.indexOf(seen[0] as WordCell);
    const isLineEnd = isCurrent && round.roundSetup.lineEnds.includes(at);
    for (const [place, cell] of seen.entries()) {
      // Past the last letter, the caret is on the space that follows: nothing moves when a word is finished.
      const sign = cell.shown === '' ? (isLineEnd ? look.signs.lineEnd : ' ') : signOf(cell.shown, look);
      const pending = cell.shown === '' && isLineEnd ? 'faint' : syntax[at]?.[first + place];
      text.add(styleOf(cell, cell === paced, pending), sign);
      marks += drawKey(look, cell);
    }
  }
  return [text.painted(), marks.trimEnd()];
}

/** The style of a word that needs no look at its letters: most are typed right, or to come in one style. */
function wholeStyle(
  round: RoundView,
  at: number,
  syntax: readonly (Style | undefined)[] = [],
): Style | undefined {
  const { wordIndex } = round.progress;
  if (at > wordIndex)
    return syntax.every((style) => style === syntax[0]) ? (syntax[0] ?? 'plain') : undefined;
  const isRight = at < wordIndex && round.typedBefore[at]?.join('') === wordText(round.words[at] ?? '');
  return isRight ? 'right' : undefined;
}

/** A row in which neighbours of one style are painted together: fewer bytes to write and to measure. */
function createRuns({ paint }: Look, start: string) {
  let row = '';
  let run = start;
  let style: Style = 'plain';
  return {
    add(next: Style, text: string): void {
      if (next !== style) {
        row += paint(style, run);
        run = '';
        style = next;
      }
      run += text;
    },
    painted: () => row + paint(style, run),
  };
}

function cellWidth({ shown }: WordCell): number {
  return Math.max(1, widthOf(shown));
}

function styleOf({ state }: WordCell, isPaced: boolean, pending: Style = 'plain'): Style {
  if (state === 'current') return 'current';
  if (state === 'wrong') return 'slip';
  if (isPaced) return 'pace';
  return state === 'right' ? 'right' : pending;
}

/** The row below a letter: the key that was typed for it, unless that is shown in the text. */
function drawKey(look: Look, cell: WordCell): string {
  const { typed, state, isExtra } = cell;
  const width = cellWidth(cell);
  if (typed === undefined || state === 'right' || isExtra) return ' '.repeat(width);
  const sign = signOf(typed, look);
  return look.paint('wrong', widthOf(sign) <= width ? padded(centred(sign, width), width) : look.signs.error);
}
