import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { type OptionRow, optionRows, toValueName } from '../state/option-rows.ts';
import type { Size } from '../terminal/size.ts';
import { toRows, toWidth } from '../text/text-layout.ts';
import { Line, Lines, Screen } from './lines.tsx';

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
  const remark = toRemarkRows(look, app, width);
  const room = size.rows - frameRows - remark.length;
  const first = Math.max(0, Math.min(app.optionRow - room + 1, optionRows.length - room));
  const rows = optionRows.map((row, at) => drawRow(look, app, row, at));
  return (
    <Screen size={size}>
      <Line text={look.paint('strong', 'Options')} />
      <Line text="" />
      <Lines rows={rows.slice(first, first + room)} />
      <Spacer />
      <Lines rows={remark} />
      <Line text={drawKeyHints(look, hints, width)} />
    </Screen>
  );
}

/** Rows of the title, the gap below it and the hints. */
const frameRows = 3;

/** What went wrong is more important than what the option is about. */
function toRemarkRows({ paint }: Look, { notice, optionRow }: App, width: number): string[] {
  const about = optionRows[optionRow]?.about ?? '';
  return notice === ''
    ? [paint('faint', about)]
    : toRows(notice, width)
        .slice(0, 3)
        .map((row) => paint('warning', row));
}

function drawRow(look: Look, app: App, row: OptionRow, at: number): string {
  const name = toValueName(row, app.options[row.key]);
  const isChosen = at === app.optionRow;
  const text = `${isChosen ? '>' : ' '} ${toWidth(row.label, labelWidth)}${name}`;
  return isChosen ? look.paint('strong', text) : text;
}
