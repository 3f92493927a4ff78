import { Box, Text } from 'ink';
import { shownRow } from '../../kit/terminal-text.ts';
import type { Size } from '../terminal/painter.ts';

interface PageProps {
  readonly size: Size;
  /** From the first row on; those without room are left out. */
  readonly top: readonly string[];
  /** Down to the last row. */
  readonly bottom: readonly string[];
}

/** Columns that a page leaves free at its sides. */
export const pageMargin = 2;

/** Rows of the title, the gap below it and the keys. */
export const frameRows = 3;

/** Rows at the top and at the bottom of the screen, one column in; never more than there are. */
export function Page({ size, top, bottom }: PageProps) {
  const room = Math.max(0, size.rows - bottom.length);
  const free = Math.max(0, room - top.length);
  const rows = [...top.slice(0, room), ...Array<string>(free).fill(''), ...bottom].slice(0, size.rows);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingLeft={1}>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <Text key={at} wrap="truncate">
          {row === '' ? ' ' : shownRow(row)}
        </Text>
      ))}
    </Box>
  );
}

/** Shares `free` rows out between `count` gaps, the first ones being the larger. */
export function gapRows(free: number, count: number): string[][] {
  const rows = Math.max(0, free);
  return Array.from({ length: count }, (_, at) => Array<string>(Math.ceil((rows - at) / count)).fill(''));
}
