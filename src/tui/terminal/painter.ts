import { stripVTControlCharacters } from 'node:util';
import { cut, shownRow, widthOf } from '../../kit/terminal-text.ts';

/** Size of something on the terminal, in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The smallest terminal that a round fits into. */
export const minSize: Size = { columns: 40, rows: 12 };

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < minSize.columns || rows < minSize.rows;
}

/** Room for long words in large letters; a larger frame could not be seen at a glance. */
const maxFrame: Size = { columns: 160, rows: 48 };

const clearScreen = '\x1b[H\x1b[2J';

/**
 * Draws whole screens, of which only the rows that have changed are written.
 *
 * @param write puts text on the terminal
 */
export function createPainter(write: (text: string) => void, size: Size) {
  let terminal = size;
  let frame = frameOf(size);
  let latest: readonly string[] = [];
  /** What is on the terminal; undefined if that is not known. */
  let shown: readonly string[] | undefined;

  return {
    paint(rows: readonly string[]): void {
      latest = rows.slice(0, frame.rows);
      draw();
    },
    /** Clears the screen and draws the latest rows: what is on the terminal is no longer known. */
    repaint(): void {
      shown = undefined;
      draw();
    },
    /** The terminal has another size; returns the size of the part in the middle that is drawn on. */
    resize(next: Size): Size {
      terminal = next;
      frame = frameOf(next);
      shown = undefined;
      return frame;
    },
  };

  function draw(): void {
    const before = shown ?? [];
    let text = shown === undefined ? clearScreen : '';
    for (let at = 0; at < Math.max(before.length, latest.length); at += 1) {
      const row = latest[at] ?? '';
      if (row !== (before[at] ?? '')) text += place(at) + fitted(row);
    }
    shown = latest;
    // Terminals that know mode 2026 show it in one piece; the others ignore it.
    if (text !== '') write(`\x1b[?2026h${text}\x1b[?2026l`);
  }

  function place(at: number): string {
    const top = Math.floor((terminal.rows - frame.rows) / 2);
    const left = Math.floor((terminal.columns - frame.columns) / 2);
    return `\x1b[${top + at + 1};${left + 1}H`;
  }

  /** The row and nothing after it. Clearing after the last column would erase the character in it. */
  function fitted(drawn: string): string {
    const row = shownRow(drawn);
    const width = widthOf(row);
    if (width > frame.columns) return cut(stripVTControlCharacters(row), frame.columns, '');
    return width === terminal.columns ? `${row}\x1b[m` : `${row}\x1b[m\x1b[K`;
  }
}

function frameOf({ columns, rows }: Size): Size {
  return { columns: Math.min(columns, maxFrame.columns), rows: Math.min(rows, maxFrame.rows) };
}
