import xterm from '@xterm/headless';
import type { Size } from '../../../src/tui/terminal/size.ts';
import type { Terminal } from '../../../src/tui/terminal/terminal.ts';

/** A terminal emulator without a window: what a program writes to it can be read as a screen. */
export interface Emulator extends Terminal {
  /** Everything written so far, in bytes. */
  readonly bytes: number;
  /** The text on the screen, rows without the blanks at their ends. */
  screen(): Promise<string>;
  /** Every cell with its colours and attributes, to compare two screens completely. */
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
    enter() {},
    leave() {},
    onResize() {},
    onGone() {},
    close() {},
    write(text) {
      bytes += Buffer.byteLength(text);
      written = new Promise((resolve) => terminal.write(text, resolve));
    },
    async screen() {
      await written;
      return rows()
        .map((row) => row?.translateToString(true) ?? '')
        .join('\n');
    },
    async cells() {
      await written;
      return rows().flatMap((row) =>
        Array.from({ length: size.columns }, (_, column) => {
          const cell = row?.getCell(column);
          if (cell === undefined) return '';
          const looks = [
            cell.isBold(),
            cell.isDim(),
            cell.isUnderline(),
            cell.isInverse(),
            cell.getFgColorMode(),
            cell.getFgColor(),
            cell.getBgColorMode(),
            cell.getBgColor(),
          ];
          return `${cell.getChars() || ' '} ${looks.join(' ')}`;
        }),
      );
    },
    setSize(next) {
      size = next;
      terminal.resize(size.columns, size.rows);
    },
  };
}
