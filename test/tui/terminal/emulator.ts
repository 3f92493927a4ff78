import xterm, { type IBufferCell, type IBufferLine } from '@xterm/headless';
import type { Size } from '../../../src/tui/terminal/painter.ts';

/** A terminal emulator without a window: what a program writes to it can be read as a screen. */
export interface Emulator {
  readonly size: Size;
  write(text: string): void;
  /** Everything written so far, in bytes. */
  readonly bytes: number;
  /** The text on the screen, rows without the blanks at their ends; a blank in reverse video is a full block. */
  screen(): Promise<string>;
  /** Every cell with its colours and attributes as they are seen, to compare two screens completely. */
  cells(): Promise<string[]>;
  setSize(size: Size): void;
}

export function createEmulator(first: Size): Emulator {
  let size = first;
  let bytes = 0;
  let written: Promise<void> = Promise.resolve();
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    scrollback: 0,
  });
  const rows = () => Array.from({ length: size.rows }, (_, row) => terminal.buffer.active.getLine(row));

  return {
    get size() {
      return size;
    },
    get bytes() {
      return bytes;
    },
    write(text) {
      bytes += Buffer.byteLength(text);
      written = new Promise((resolve) => terminal.write(text, resolve));
    },
    async screen() {
      await written;
      return rows()
        .map((row) => toText(row, size.columns))
        .join('\n');
    },
    async cells() {
      await written;
      return rows().flatMap((row) =>
        Array.from({ length: size.columns }, (_, column) => {
          const cell = row?.getCell(column);
          if (cell === undefined) return '';
          return toSeenCell(cell);
        }),
      );
    },
    setSize(next) {
      size = next;
      terminal.resize(size.columns, size.rows);
    },
  };
}

function toText(row: IBufferLine | undefined, columns: number): string {
  const cells = Array.from({ length: columns }, (_, column) => row?.getCell(column));
  const characters = cells.map((cell) => {
    if (cell === undefined || cell.getWidth() === 0) return '';
    return isBlock(cell) ? '█' : cell.getChars() || ' ';
  });
  return characters.join('').trimEnd();
}

/** Blanks look alike whatever the colour and weight of the letter would be. */
function toSeenCell(cell: IBufferCell): string {
  const character = cell.getChars() || ' ';
  const isBare = !cell.isInverse() && !cell.isUnderline() && cell.isBgDefault();
  if (character === ' ' && isBare) return ' ';
  const looks = [
    cell.isBold(),
    cell.isDim(),
    cell.isUnderline(),
    isBlock(cell) ? 0 : cell.isInverse(),
    cell.getFgColorMode(),
    cell.getFgColor(),
    cell.getBgColorMode(),
    cell.getBgColor(),
  ];
  return `${isBlock(cell) ? '█' : character} ${looks.join(' ')}`;
}

function isBlock(cell: IBufferCell): boolean {
  const isBlank = (cell.getChars() || ' ') === ' ';
  return isBlank && Boolean(cell.isInverse()) && !cell.isUnderline() && cell.isBgDefault();
}
