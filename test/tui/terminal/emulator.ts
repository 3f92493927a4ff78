import xterm, { type IBufferCell } from '@xterm/headless';
import type { Size } from '../../../src/tui/terminal/painter.ts';

/** A terminal emulator without a window: what a program writes to it can be read as a screen. */
export function createEmulator(size: Size) {
  let written: Promise<void> = Promise.resolve();
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    scrollback: 0,
  });
  const rows = () => Array.from({ length: terminal.rows }, (_, row) => terminal.buffer.active.getLine(row));

  return {
    write(text: string): void {
      written = new Promise((resolve) => terminal.write(text, resolve));
    },
    /** The text on the screen, rows without the blanks at their ends. */
    async screen(): Promise<string> {
      await written;
      return rows()
        .map((row) => row?.translateToString(true))
        .join('\n');
    },
    /** Every cell with its colours and attributes as they are seen, to compare two screens completely. */
    async cells(): Promise<string[]> {
      await written;
      const columns = [...Array(terminal.cols).keys()];
      return rows().flatMap((row) => columns.map((column) => seenCell(row?.getCell(column))));
    },
    setSize: ({ columns, rows }: Size): void => terminal.resize(columns, rows),
  };
}

/** Blanks look alike whatever the colour and weight of the letter would be. */
function seenCell(cell: IBufferCell | undefined): string {
  if (cell === undefined) return '';
  const character = cell.getChars() || ' ';
  const isBare = !cell.isInverse() && !cell.isUnderline() && cell.isBgDefault();
  if (character === ' ' && isBare) return ' ';
  const looks = [
    ...[cell.isBold(), cell.isDim(), cell.isUnderline(), cell.isInverse()],
    ...[cell.getFgColorMode(), cell.getFgColor(), cell.getBgColor()],
  ];
  return `${character} ${looks.join(' ')}`;
}
