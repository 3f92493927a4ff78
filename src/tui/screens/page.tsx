import { Box, Text } from 'ink';
import { shownRow } from '../../kit/terminal-text.ts';
import type { Size } from '../terminal/painter.ts';

interface PageProps {
  readonly size: Size;
  /** Spread over the height from the first row on; rows without room are left out. */
  readonly blocks: readonly (readonly string[])[];
  /** Ends at the last row. */
  readonly bottom: readonly string[];
}

/** Columns that a page leaves free at its sides. */
export const pageMargin = 2;

/** Rows of the title, the gap below it and the keys. */
export const frameRows = 3;

/** Rows at the top and at the bottom of the screen, one column in; never more than there are. */
export function Page({ size: { columns, rows }, blocks, bottom }: PageProps) {
  const room = rows - bottom.length;
  const whole = blocks.flat();
  const spread = whole.length < room ? blocks : [whole.slice(0, room)];
  return (
    <Box flexDirection="column" justifyContent="space-between" width={columns} height={rows} paddingLeft={1}>
      {[...spread, bottom]
        .filter((block) => block.length > 0)
        .map((block) => (
          <Text key={block.join('\n')} wrap="truncate">
            {block.map((row) => shownRow(row) || ' ').join('\n')}
          </Text>
        ))}
    </Box>
  );
}

/** The part of a list that fits into `room` rows, with the chosen one in it. */
export function rowsAround<Row>(
  list: readonly Row[],
  chosen: number,
  room: number,
): [Row, isChosen: boolean][] {
  const first = Math.max(0, Math.min(chosen - Math.floor(room / 2), list.length - room));
  return list.slice(first, first + room).map((row, at) => [row, first + at === chosen]);
}
