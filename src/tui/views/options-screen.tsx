import { Box, Spacer } from 'ink';
import type { App } from '../app-state.ts';
import { toWidth } from '../drawing/text-layout.ts';
import { type OptionRow, optionRows } from '../option-rows.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';

const hints = [
  ['Up/Down', 'choose'],
  ['Left/Right', 'change'],
  ['Esc', 'back'],
] as const;

const labelWidth = 22;

export function OptionsScreen({
  look,
  app,
  size,
}: {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}) {
  const width = size.columns - 2;
  const room = size.rows - 4;
  const first = Math.max(0, Math.min(app.optionRow - room + 1, optionRows.length - room));
  const rows = optionRows.map((row, at) => drawRow(look, app, row, at));
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Line text={look.paint('strong', 'Options')} />
      <Line text="" />
      <Lines rows={rows.slice(first, first + room)} />
      <Spacer />
      <Line text={drawRemark(look, app)} />
      <Line text={drawKeyHints(look, hints, width)} />
    </Box>
  );
}

/** What went wrong is more important than what the option is about. */
function drawRemark({ paint }: Look, { notice, optionRow }: App): string {
  return notice === '' ? paint('faint', optionRows[optionRow]?.about ?? '') : paint('warning', notice);
}

function drawRow(look: Look, app: App, row: OptionRow, at: number): string {
  const name = row.names[row.values.indexOf(app.options[row.key])] ?? '';
  const isChosen = at === app.optionRow;
  const text = `${isChosen ? '>' : ' '} ${toWidth(row.label, labelWidth)}${name}`;
  return isChosen ? look.paint('strong', text) : text;
}
