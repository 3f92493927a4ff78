import { toBlindRound } from '../round/blind.ts';
import { isReadAsText } from '../round/practised.ts';
import type { LocalRound } from '../round/round.ts';
import type { App } from '../state/app-state.ts';
import { toColumns } from '../terminal/columns.ts';

/** A row of the text: its first word, and the columns before it. */
export interface TextRow {
  readonly from: number;
  readonly indent: number;
}

/** Columns beside everything on the typing screen. */
const besideFrame = 2;
/** Columns of a row of text: wider frames have longer ones, up to where the eye loses the next line. */
const usualRow = 72;
const longestRow = 88;
/** Columns that a wide frame keeps free beside the text. */
const besideText = 40;

/** Columns of everything on the typing screen. */
export function toFrameColumns({ size }: App): number {
  return size.columns - besideFrame;
}

/** Columns of a row of text in a frame of `width` columns. */
export function toRowColumns(width: number): number {
  return Math.min(width, Math.max(usualRow, Math.min(width - besideText, longestRow)));
}

/** The round as it may be seen. */
export function toSeenRound({ options }: App, round: LocalRound): LocalRound {
  return options.blind ? toBlindRound(round) : round;
}

/**
 * Whether the current word ends a row on the screen, and the line goes on in the next one, which looks like the end of a
 * line.
 */
export function isAtWrap(app: App, round: LocalRound): boolean {
  if (!isReadAsText(round.practised)) return false;
  const next = round.wordIndex + 1;
  const isLineEnd = round.practised.lineEnds.includes(round.wordIndex);
  const rows = toTextRows(toSeenRound(app, round), toRowColumns(toFrameColumns(app)));
  return !isLineEnd && rows.some(({ from }) => from === next);
}

/** The words of a round in rows of at most `width` columns. */
export function toTextRows(round: LocalRound, width: number): TextRow[] {
  const rows: TextRow[] = [];
  const { lineEnds, indents, mode } = round.practised;
  const hanging = mode.type === 'code' ? codeHanging : 0;
  const ends = new Set(lineEnds);
  let line = 0;
  let used = Number.POSITIVE_INFINITY;
  for (let at = 0; at < round.words.length; at += 1) {
    const columns = toWordColumns(round, at);
    const isNewLine = at === 0 || ends.has(at - 1);
    if (ends.has(at - 1)) line += 1;
    // The last column is for what may follow the last word: the caret, or the sign of a line's end.
    if (!isNewLine && used + 1 + columns <= width - 1) used += 1 + columns;
    else {
      const indent = toIndent(indents[line], width) + (isNewLine ? 0 : hanging);
      rows.push({ from: at, indent });
      used = indent + columns;
    }
  }
  return rows;
}

/** Columns that the rest of a line of code is moved by where it does not fit into one row; prose goes on flush. */
const codeHanging = 2;

/** On a narrow screen deep lines begin further to the left: most of a row is for the text. */
function toIndent(given: number | undefined, width: number): number {
  return given === undefined ? 0 : Math.min(given, Math.floor(width / 3));
}

/** Columns of a word with its extra letters. */
function toWordColumns(round: LocalRound, at: number): number {
  const columns = toColumns(round.words[at] ?? '');
  if (at > round.wordIndex) return columns;
  const isCurrent = at === round.wordIndex;
  const typed = isCurrent ? round.typed : (round.left[at] ?? []);
  const extra = typed
    .slice(round.targets[at]?.length ?? 0)
    .reduce((sum, key) => sum + Math.max(1, toColumns(key)), 0);
  return columns + extra;
}
