import { Writable } from 'node:stream';
import { blankCell, type Cell, cutCells, toCells } from './cells.ts';
import { drawChanges, newPen, type Place } from './pen.ts';
import { type RowTokens, tokenColumns } from './row-tokens.ts';
import type { Size } from './size.ts';
import { toSwitch } from './styles.ts';

export interface CanvasOptions {
  /** Writes to the terminal. */
  readonly put: (text: string) => void;
  readonly terminal: Size;
  /** What of it is drawn on, in the middle. */
  readonly frame: Size;
  /** What stands for whole rows in a frame. Default: nothing does. */
  readonly tokens?: RowTokens;
}

/**
 * What Ink draws on instead of the terminal: it takes whole frames, compares them cell by cell with what is on
 * the screen and writes the difference only. A key then costs some hundred bytes instead of whole lines, nothing
 * flickers, and a frame is never taller or wider than the screen.
 */
export class Canvas extends Writable {
  private frame: Size;
  private readonly put: (text: string) => void;
  private readonly tokens: RowTokens | undefined;
  private terminal: Size;
  private origin: Place;
  /** The last frame, as Ink gave it. */
  private lines: readonly string[] = [];
  private shown: Row[] = [];
  private isFresh = true;

  constructor({ put, terminal, frame, tokens }: CanvasOptions) {
    super({ decodeStrings: false });
    this.put = put;
    this.tokens = tokens;
    this.terminal = terminal;
    this.frame = frame;
    this.origin = toOrigin(terminal, frame);
  }

  /** Read by Ink: the width of its frames. */
  get columns(): number {
    return this.tokens === undefined ? this.frame.columns : tokenColumns;
  }

  get rows(): number {
    return this.frame.rows;
  }

  /** The terminal has another size: the next frame is drawn from scratch, in the middle. */
  resize(terminal: Size, frame: Size): void {
    this.terminal = terminal;
    this.frame = frame;
    this.origin = toOrigin(terminal, frame);
    this.isFresh = true;
  }

  /** Draws the last frame again from scratch: what is on the terminal is no longer known. */
  repaint(): void {
    this.isFresh = true;
    this.show(this.shown);
  }

  /** The tokens mean something else from the next frame on; what is shown stays. */
  forgetTokens(): void {
    this.shown = this.shown.map(({ cells }) => ({ line: undefined, cells }));
  }

  override _write(frame: string, _encoding: string, done: () => void): void {
    this.lines = frame.split('\n');
    this.update();
    done();
  }

  /** Draws the last frame with what its live rows say now. */
  update(): void {
    const lines = this.lines.slice(0, this.terminal.rows);
    this.show(lines.map((line, at) => this.toRow(line, this.isFresh ? undefined : this.shown[at])));
  }

  private toRow(frameLine: string, before: Row | undefined): Row {
    const { tokens } = this;
    const line = tokens?.fillIn(frameLine) ?? frameLine;
    if (before?.line === line) return before;
    const width = Math.min(this.terminal.columns, this.frame.columns);
    const cells = tokens === undefined ? toCells(line, width) : toTokenCells(frameLine, tokens, width);
    return { line, cells };
  }

  private show(rows: Row[]): void {
    const before = this.isFresh ? [] : this.shown;
    const update = (this.isFresh ? clearScreen : '') + toChanges(before, rows, this.origin);
    this.shown = rows;
    this.isFresh = false;
    if (update !== '') this.put(synchronized(update));
  }
}

/** The frame is in the middle of the terminal. */
function toOrigin(terminal: Size, frame: Size): Place {
  return {
    row: Math.max(0, Math.floor((terminal.rows - frame.rows) / 2)),
    left: Math.max(0, Math.floor((terminal.columns - frame.columns) / 2)),
  };
}

/** A line with the rows that its tokens stand for, each from the column of its token on. */
function toTokenCells(line: string, tokens: RowTokens, width: number): readonly Cell[] {
  let cells: Cell[] = [];
  let column = 0;
  for (const character of line) {
    const row = tokens.toCells(character);
    while (cells.length < column) cells.push(blankCell);
    if (row !== undefined) cells = [...cutCells(cells, column), ...row];
    else if (cells.length === column) cells.push({ character, style: '' });
    column += 1;
  }
  return cutCells(cells, width);
}

/** What to write to turn some rows into others. */
function toChanges(before: readonly Row[], rows: readonly Row[], origin: Place): string {
  let text = '';
  let pen = newPen;
  for (let at = 0; at < Math.max(rows.length, before.length); at += 1) {
    const [old, next] = [before[at] ?? blankRow, rows[at] ?? blankRow];
    if (old === next) continue;
    const place = { row: origin.row + at, left: origin.left };
    const stroke = drawChanges(pen, place, old.cells, next.cells);
    text += stroke.text;
    pen = stroke.pen;
  }
  return text + toSwitch(pen.style, '');
}

interface Row {
  /** As Ink gave it, with the text of live rows; undefined where that means nothing any more. */
  readonly line: string | undefined;
  readonly cells: readonly Cell[];
}

const blankRow: Row = { line: '', cells: [] };
const clearScreen = '\x1b[H\x1b[2J';

/** Terminals that know mode 2026 show a larger update in one piece; the others ignore it. */
function synchronized(update: string): string {
  return update.length < largestUnguarded ? update : `\x1b[?2026h${update}\x1b[?2026l`;
}

const largestUnguarded = 600;
