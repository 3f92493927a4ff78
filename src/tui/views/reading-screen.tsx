import { Box, Spacer } from 'ink';
import type { App } from '../app/app-state.ts';
import type { Look } from '../screen/look.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';
import { toLongestScroll, toReadingRoom, toReadingRows } from './reading.ts';

/** Text from top to bottom, without any drawing; longer than the screen, it scrolls. */
export function ReadingScreen({ look, app }: { readonly look: Look; readonly app: App }) {
  const { size } = app;
  const first = Math.min(app.scroll, toLongestScroll(app));
  const [title = '', ...text] = toReadingRows(app) ?? [];
  const rows = [look.paint('strong', title), ...text].slice(first, first + toReadingRoom(app));
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Lines rows={rows} />
      <Spacer />
      <Line text={drawKeyHints(look, toHints(app), size.columns - 2)} />
    </Box>
  );
}

function toHints(app: App): [string, string][] {
  const leave: [string, string][] =
    app.screen === 'results'
      ? [
          ['Enter', 'next round'],
          ['Esc', 'leave'],
        ]
      : [['Esc', 'back']];
  return toLongestScroll(app) > 0 ? [...leave, ['Down', 'read on']] : leave;
}
