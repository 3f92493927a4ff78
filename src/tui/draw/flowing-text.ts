import type { Look } from '../look/look.ts';
import type { PacePlace } from '../round/pacer.ts';
import { isReadAsText } from '../round/practised.ts';
import type { LocalRound } from '../round/round.ts';
import { toColumns } from '../terminal/columns.ts';
import { toTextRows } from '../text/text-rows.ts';
import { toKeySign, toWordCells, type WordCell } from './word-marks.ts';

/**
 * The whole round as text, `width` columns wide, in at most `rows` rows; of a longer one the rows around the
 * current word. Only rows that are seen are drawn: a test may have thousands of words.
 */
export function drawFlowingText(
  look: Look,
  round: LocalRound,
  width: number,
  rows: number,
  pace?: PacePlace,
): string[] {
  const lines = toTextRows(round, width);
  const spacing = lines.length * 2 - 1 <= rows ? 2 : 1;
  const room = Math.max(1, Math.floor((rows + spacing - 1) / spacing));
  const current = lines.findLastIndex(({ from }) => from <= round.wordIndex);
  const first = Math.max(0, Math.min(current - 1, lines.length - room));
  const text = lines.slice(first, first + room).map(({ from, indent }, at) => {
    const to = lines[first + at + 1]?.from ?? round.words.length;
    const words = round.words
      .slice(from, to)
      .map(
        (word, place) =>
          drawWord(look, round, word, from + place, width - indent, pace) +
          drawEnd(look, round, from + place, from + place === to - 1),
      );
    // Past the last letter, the caret is on the space that follows: nothing moves when a word is finished.
    const spaces = words.map((_, place) =>
      hasCaretAtEnd(round, from + place) || from + place === to - 1 ? '' : ' ',
    );
    return ' '.repeat(indent) + words.map((word, place) => word + spaces[place]).join('');
  });
  return spacing === 1 ? text : text.flatMap((line, at) => (at === 0 ? [line] : ['', line]));
}

function drawWord(
  look: Look,
  round: LocalRound,
  word: string,
  at: number,
  width: number,
  pace?: PacePlace,
): string {
  const isCurrent = at === round.wordIndex;
  const typed = isCurrent ? round.typed : (round.left[at] ?? []);
  const isBegun = isCurrent || at < round.wordIndex;
  const cells =
    isBegun && !isCurrent
      ? toLeftCells(word, typed)
      : toWordCells(word, typed, isCurrent ? round.refused : undefined);
  const caret = isCurrent ? typed.length : 0;
  const paced = pace?.wordIndex === at ? cells[pace.at] : undefined;
  return toSeenCells(cells, caret, width - 1)
    .map((cell) => {
      if (cell === paced && cell.state !== 'wrong') return look.paint('pace', cell.shown);
      return isBegun ? drawLetter(look, cell) : cell.shown;
    })
    .join('');
}

/** The caret past the last letter, and while the last word of a row is typed, whether its line ends there. */
function drawEnd({ paint, signs }: Look, round: LocalRound, at: number, isRowEnd: boolean): string {
  if (at !== round.wordIndex) return '';
  const isWrap = isRowEnd && at < round.words.length - 1 && isReadAsText(round.practised);
  const sign = round.practised.lineEnds.includes(at) ? signs.lineEnd : isWrap ? signs.space : '';
  if (hasCaretAtEnd(round, at)) return paint(round.refused === undefined ? 'current' : 'wrong', sign || ' ');
  return sign === '' ? '' : paint('faint', sign);
}

function hasCaretAtEnd(round: LocalRound, at: number): boolean {
  return at === round.wordIndex && round.typed.length >= (round.targets[at]?.length ?? 0);
}

/** Of a word longer than a row the part around the caret. */
function toSeenCells(cells: readonly WordCell[], caret: number, width: number): readonly WordCell[] {
  const widths = cells.map(({ shown }) => Math.max(1, toColumns(shown)));
  let total = widths.reduce((sum, columns) => sum + columns, 0);
  let [first, end] = [0, cells.length];
  while (total > width && first < end - 1) {
    const isLater = caret - first > (end - first) / 2;
    total -= (isLater ? widths[first] : widths[end - 1]) ?? 0;
    if (isLater) first += 1;
    else end -= 1;
  }
  return cells.slice(first, end);
}

/** A word that was left: letters that are missing there are mistakes. */
function toLeftCells(word: string, typed: readonly string[]): WordCell[] {
  return toWordCells(word, typed).map((cell) =>
    cell.typed === undefined ? { ...cell, state: 'wrong' } : cell,
  );
}

/**
 * A wrong letter shows the key that was typed, so that a slip can be seen and not only its place. A key of another width
 * would move the rest of the line.
 */
function drawLetter({ paint, signs, hasColours }: Look, { shown, typed, state }: WordCell): string {
  if (state === 'current') return paint(typed === undefined ? 'current' : 'wrong', shown);
  if (state === 'pending') return shown;
  if (state === 'right') return paint('right', shown);
  const sign = toKeySign(typed ?? shown, signs.space);
  const key = toColumns(sign) === toColumns(shown) || shown === ' ' ? sign : shown;
  return hasColours ? `\x1b[4m${paint('wrong', key)}\x1b[24m` : paint('wrong', key);
}
