import { Box, Spacer } from 'ink';
import type { App } from '../app-state.ts';
import { toRows, toWidth } from '../drawing/text-layout.ts';
import type { Size } from '../screen/canvas.ts';
import type { Look } from '../screen/look.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';

const keys: readonly (readonly [string, string])[] = [
  ['Tab', 'start again with other words'],
  ['Esc', 'leave (twice in a round)'],
  ['Enter', 'next round, on the results'],
  ['Backspace', 'delete a letter'],
  ['Ctrl+W', 'delete the word; so does Alt+Backspace'],
  ['Ctrl+O', 'options'],
  ['Ctrl+Y', 'history'],
  ['k', 'accuracy or speed, on the results'],
  ['Ctrl+L', 'draw the screen again'],
  ['Ctrl+Z', 'stop; "fg" comes back'],
  ['F1', 'this help; so does ? before a round'],
];

const notes = [
  'Speed: right keystrokes / 5 a minute. Accuracy: right keystrokes of all; a slip that you mend still counts.',
  'The clock starts with the first right letter and stands while you look elsewhere.',
];

/** Columns of the key names. */
const keyWidth = 12;

function toHelpRows(look: Look, width: number): string[] {
  const table = keys.map(([key, action]) => look.paint('strong', toWidth(key, keyWidth)) + action);
  const text = notes.flatMap((note) => ['', ...toRows(note, width).map((row) => look.paint('faint', row))]);
  return [...table, ...text];
}

/** Rows of the title and the hints. */
const frameRows = 3;

export function HelpScreen({
  look,
  app,
  size,
}: {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}) {
  const width = size.columns - 2;
  const rows = toHelpRows(look, width);
  const room = size.rows - frameRows;
  const first = Math.min(app.scroll, Math.max(0, rows.length - room));
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Line text={look.paint('strong', 'Help')} />
      <Line text="" />
      <Lines rows={rows.slice(first, first + room)} />
      <Spacer />
      <Line
        text={drawKeyHints(
          look,
          rows.length > room
            ? [
                ['Esc', 'back'],
                ['Down', 'more'],
              ]
            : [['Esc', 'back']],
          width,
        )}
      />
    </Box>
  );
}
