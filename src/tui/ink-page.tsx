import { Box, renderToString, Text } from 'ink';
import { shownRow } from '../kit/terminal-text.ts';
import type { Size } from './terminal/painter.ts';
import type { Page } from './view/page.ts';

/** The rows of a page as Ink lays them out. The painter finds which of them have changed. */
export function inkRows(page: Page, size: Size): string[] {
  return renderToString(<PageLayout {...page} {...size} />, { columns: size.columns }).split('\n');
}

/** Rows at the top and at the bottom of the screen, one column in; never more than there are. */
function PageLayout({ columns, rows, blocks, bottom }: Size & Page) {
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
