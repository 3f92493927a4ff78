import { Writable } from 'node:stream';
import { blankCell, type Cell, toCells, toSequence } from './cells.ts';
import type { Size } from './size.ts';

/**
 * What Ink draws on instead of the terminal: it takes whole frames, compares them cell by cell with what stands on
 * the screen and writes the difference only. A key then costs some hundred bytes instead of whole lines, nothing
 * flickers, and a frame is never taller or wider than the screen.
 */
export class Canvas extends Writable {
  /** Read by Ink: the width of the frames. */
  columns: number;
  rows: number;
  private terminal: Size;
  private shown: Row[] = [];
  private frame = '';
  private isFresh = true;

  constructor(
    private readonly put: (text: string) => void,
    terminal: Size,
    frame: Size,
  ) {
    super({ decodeStrings: false });
    this.terminal = terminal;
    this.columns = frame.columns;
    this.rows = frame.rows;
  }

  /** The terminal has another size: the next frame is drawn from scratch, in the middle. */
  resize(terminal: Size, frame: Size): void {
    this.terminal = terminal;
    this.columns = frame.columns;
    this.rows = frame.rows;
    this.forget();
  }

  /** Whatever stands on the terminal is no longer known: the next frame is drawn from scratch. */
  forget(): void {
    this.isFresh = true;
  }

  /** Draws the last frame again from scratch. */
  repaint(): void {
    this.forget();
    this.show(this.frame);
  }

  override _write(frame: string, _encoding: string, done: () => void): void {
    this.show(frame);
    done();
  }

  private show(frame: string): void {
    this.frame = frame;
    const before = this.isFresh ? [] : this.shown;
    const lines = frame.split('\n').slice(0, this.terminal.rows);
    const rows = lines.map((line, at) =>
      before[at]?.line === line ? before[at] : { line, cells: toCells(line, this.terminal.columns) },
    );
    const update = this.isFresh ? clearScreen : '';
    const changes = Array.from({ length: Math.max(rows.length, before.length) }, (_, at) =>
      this.toChange(at, before[at] ?? blankRow, rows[at] ?? blankRow),
    ).join('');
    this.shown = rows;
    this.isFresh = false;
    if (update + changes !== '') this.put(synchronized(update + changes));
  }

  private toChange(at: number, before: Row, after: Row): string {
    if (before === after) return '';
    const top = Math.max(0, Math.floor((this.terminal.rows - this.rows) / 2));
    const left = Math.max(0, Math.floor((this.terminal.columns - this.columns) / 2));
    return toSpans(before.cells, after.cells)
      .map(({ from, to }) => {
        const place = `\x1b[${top + at + 1};${left + from + 1}H`;
        const isRest = to >= after.cells.length;
        return (
          place +
          toSequence(after.cells.slice(from, to)) +
          (isRest && before.cells.length > after.cells.length ? clearToEnd : '')
        );
      })
      .join('');
  }
}

interface Row {
  readonly line: string;
  readonly cells: readonly Cell[];
}

const blankRow: Row = { line: '', cells: [] };
const clearScreen = '\x1b[H\x1b[2J';
const clearToEnd = '\x1b[K';

/** Moving the cursor costs about eight bytes; fewer equal cells than that are cheaper written again. */
const smallestGap = 6;

/** The stretches of columns that differ; those close together are one. */
function toSpans(before: readonly Cell[], after: readonly Cell[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (let column = 0; column < Math.max(before.length, after.length); column += 1) {
    if (isSame(before[column] ?? blankCell, after[column] ?? blankCell)) continue;
    const from = after[column]?.character === '' ? column - 1 : column;
    const last = spans.at(-1);
    if (last !== undefined && from - last.to <= smallestGap) last.to = column + 1;
    else spans.push({ from, to: column + 1 });
    if (column >= after.length) break; // the rest of the line is cleared at once
  }
  return spans;
}

function isSame(a: Cell, b: Cell): boolean {
  return a.character === b.character && a.style === b.style;
}

/** Terminals that know mode 2026 show a larger update in one piece; the others ignore it. */
function synchronized(update: string): string {
  return update.length < largestUnguarded ? update : `\x1b[?2026h${update}\x1b[?2026l`;
}

const largestUnguarded = 600;
