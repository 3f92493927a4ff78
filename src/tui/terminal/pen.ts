import { blankCell, type Cell } from './cells.ts';
import { isSingle } from './columns.ts';
import { toReversed, toSwitch, toTraits } from './styles.ts';

/** Where the cursor of the terminal is, and the style that is on. Immutable. */
export interface Pen {
  /** From 0; -1 where it is not known. */
  readonly row: number;
  readonly column: number;
  readonly style: string;
}

/** What to write, and the pen after it. */
export interface Stroke {
  readonly text: string;
  readonly pen: Pen;
}

export const newPen: Pen = { row: -1, column: -1, style: '' };

/** A row of the terminal, and the column where its cells begin. */
export interface Place {
  readonly row: number;
  readonly left: number;
}

const clearToEnd = '\x1b[K';

/**
 * Turns the cells `before` of a row into those `after`: the cells that differ one by one, or the rest of the row at once
 * where that is shorter.
 */
export function drawChanges(pen: Pen, place: Place, before: readonly Cell[], after: readonly Cell[]): Stroke {
  const [old, next] = [withoutBlankEnd(before), withoutBlankEnd(after)];
  const from = findFirstChange(old, next);
  if (from === undefined) return { text: '', pen };
  const single = drawCells(pen, place, old, next);
  if (old.length <= from || single.text.length < clearingPays) return single;
  const cleared = clearFrom(pen, place, from);
  const whole = join(cleared, (at) => drawCells(at, place, old.slice(0, from), next));
  return toBytes(whole) < toBytes(single) ? whole : single;
}

/** A shorter change is never longer than clearing the row and writing it again. */
const clearingPays = 40;

function drawCells(pen: Pen, place: Place, before: readonly Cell[], after: readonly Cell[]): Stroke {
  let stroke: Stroke = { text: '', pen };
  for (const [from, to] of toSpans(before, after)) {
    stroke = join(stroke, (at) => reach(at, place, after, from));
    stroke = join(stroke, (at) => writeCells(at, after.slice(from, to)));
  }
  return before.length > after.length ? join(stroke, (at) => clearFrom(at, place, after.length)) : stroke;
}

/** Without a style: terminals disagree on whether what is cleared is in reverse video. */
function clearFrom(pen: Pen, { row, left }: Place, from: number): Stroke {
  const text = toMove(pen, row, left + from) + toSwitch(pen.style, '') + clearToEnd;
  return { text, pen: { row, column: left + from, style: '' } };
}

function join(first: Stroke, next: (pen: Pen) => Stroke): Stroke {
  const { text, pen } = next(first.pen);
  return { text: first.text + text, pen };
}

/** To a column of the row: past the cells between, or by writing them again where that is shorter. */
function reach(pen: Pen, { row, left }: Place, cells: readonly Cell[], to: number): Stroke {
  const moved = { text: toMove(pen, row, left + to), pen: { ...pen, row, column: left + to } };
  const at = pen.column - left;
  if (pen.row !== row || at < 0 || at >= to) return moved;
  const written = writeCells(pen, cells.slice(at, to));
  return toBytes(written) <= toBytes(moved) ? written : moved;
}

function toBytes({ text }: Stroke): number {
  return Buffer.byteLength(text);
}

function toMove(pen: Pen, row: number, column: number): string {
  if (pen.row === row && pen.column === column) return '';
  const right = column - pen.column;
  if (pen.row === row && right > 0) return right === 1 ? '\x1b[C' : `\x1b[${right}C`;
  return `\x1b[${row + 1};${column + 1}H`;
}

const ink = '█';

/** Going back from reverse video costs about so many bytes. */
const wayBack = 4;

function writeCells(pen: Pen, cells: readonly Cell[]): Stroke {
  let { style } = pen;
  let text = '';
  let isSure = pen.row >= 0;
  for (let at = 0; at < cells.length; at += 1) {
    const { character, style: wanted } = cells[at] ?? blankCell;
    if (character === ink && toTraits(wanted).isForeground) {
      const run = countSame(cells, at);
      const next = toInkStyle(style, wanted, run);
      text += toSwitch(style, next) + (next === wanted ? ink : ' ').repeat(run);
      style = next;
      at += run - 1;
      continue;
    }
    const next = character === ' ' && wanted === '' && toTraits(style).isBareOnBlank ? style : wanted;
    text += toSwitch(style, next) + character;
    style = next;
    isSure &&= character.length === 1 && isSingle(character.charCodeAt(0));
  }
  // The terminal may take another character for wider or narrower than this program does.
  return { text, pen: { row: isSure ? pen.row : -1, column: pen.column + cells.length, style } };
}

/** A full block is a blank in reverse video: one byte instead of three, and no seams in fonts whose blocks leave some. */
function toInkStyle(style: string, wanted: string, run: number): string {
  const reversed = toReversed(wanted);
  const asBlocks = toSwitch(style, wanted).length + Buffer.byteLength(ink) * run;
  const asBlanks = toSwitch(style, reversed).length + run + (style === reversed ? 0 : wayBack);
  return asBlanks < asBlocks ? reversed : wanted;
}

function countSame(cells: readonly Cell[], from: number): number {
  const first = cells[from];
  let to = from + 1;
  while (to < cells.length && first !== undefined && isSame(first, cells[to] ?? blankCell)) to += 1;
  return to - from;
}

/** The stretches of columns of `after` that differ. */
function toSpans(before: readonly Cell[], after: readonly Cell[]): [number, number][] {
  const spans: [number, number][] = [];
  for (let column = 0; column < after.length; column += 1) {
    if (isSame(before[column] ?? blankCell, after[column] ?? blankCell)) continue;
    const from = after[column]?.character === '' ? column - 1 : column;
    const last = spans.at(-1);
    if (last !== undefined && last[1] >= from) last[1] = column + 1;
    else spans.push([from, column + 1]);
  }
  return spans;
}

function findFirstChange(before: readonly Cell[], after: readonly Cell[]): number | undefined {
  const [first] = toSpans(before, after);
  if (first !== undefined) return first[0];
  return before.length > after.length ? after.length : undefined;
}

function withoutBlankEnd(cells: readonly Cell[]): readonly Cell[] {
  let { length } = cells;
  while (length > 0 && isSame(cells[length - 1] ?? blankCell, blankCell)) length -= 1;
  return length === cells.length ? cells : cells.slice(0, length);
}

function isSame(a: Cell, b: Cell): boolean {
  return a.character === b.character && a.style === b.style;
}
